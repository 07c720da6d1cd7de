import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

const DIGEST_BYTES = 32;

/** A CommonJS module's exports, and what V8 made of its code. */
export interface LoadedCode<T> {
  exports: T;
  /** Whether V8 took what it had compiled before, instead of compiling all of it again. */
  cached: boolean;
  /** What V8 has compiled by now: the content of `<file>.cache`. */
  compiled: () => Buffer;
}

/**
 * Loads a CommonJS module as `require` does, with what V8 compiled of it at the build (`<file>.cache`: SHA-256 of Node's version, the
 * processor's kind, the text and what follows, then that). It is left aside where one of those is another or it was damaged, and V8 refuses it
 * where its flags are others; then, and where there is none, the code is compiled as usual.
 * `file`: an absolute path; its text is ASCII and has no `import()`.
 */
export function loadCode<T>(file: string): LoadedCode<T> {
  const bytes = readFileSync(file);
  const cachedData = keptFor(file, bytes);
  // V8 keeps a text of Latin-1 at one byte a letter.
  const script = new Script(Module.wrap(bytes.toString('latin1')), {
    filename: file,
    ...(cachedData ? { cachedData } : {}),
  });
  const module = { exports: {} };
  const run = script.runInThisContext() as (...scope: readonly unknown[]) => void;
  run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  return {
    exports: module.exports as T,
    cached: script.cachedDataRejected === false,
    compiled: () => {
      const code = script.createCachedData();
      return Buffer.concat([digestOf(bytes, code), code]);
    },
  };
}

/** Of what V8 need not tell apart, too: the same version of it for another processor. */
function digestOf(text: Buffer, code: Buffer): Buffer {
  return createHash('sha256').update(`${process.version} ${process.arch}`).update(text).update(code).digest();
}

/** V8 itself looks at no more of the text than its length, and trusts the rest. */
function keptFor(file: string, text: Buffer): Buffer | undefined {
  const kept = read(`${file}.cache`);
  const code = kept?.subarray(DIGEST_BYTES);
  return kept && code && digestOf(text, code).equals(kept.subarray(0, DIGEST_BYTES)) ? code : undefined;
}

function read(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
