// The last step of the build: one file of `dist/start.js` (what main.js and worker.js share) and what it loads. Finding and reading some 800 modules one by
// one takes Node longer than everything else at a start.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './ensure.mjs';

/** Left for `require`: native or read as files, loaded only where they are used, or optional and not installed. */
const external = [
  'libsql',
  'swagger-ui-dist',
  '@elastic/elasticsearch',
  'bullmq',
  'ioredis',
  'iconv-lite',
  'undici',
  // The API of OpenTelemetry is in the bundle: prom-client loads it at every start, and its copies share what is set.
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@fastify/*',
  'class-transformer',
  'class-validator',
];

export async function bundle() {
  const start = join(root, 'dist', 'start.js');
  await build({
    entryPoints: [start],
    outfile: start,
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external,
    // ES modules of dependencies ask where they are.
    define: { 'import.meta.url': 'bundleUrl' },
    // It is run as a script, which has no `import()`.
    supported: { 'dynamic-import': false },
    minifyWhitespace: true,
    minifySyntax: true,
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'warning',
  });
  writeFileSync(start, inAscii(readFileSync(start, 'utf8')));
  keepCompiled();
}

/** In a process of its own: flags of V8 are set there as at a start. Without it a start compiles the code itself. */
function keepCompiled() {
  const { status, error } = spawnSync(process.execPath, [join(root, 'scripts', 'code-cache.mjs')], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: 'inherit',
  });
  if (status !== 0) console.error('What V8 compiles of the bundle could not be kept: starts take longer', error ?? '');
}

/**
 * Escapes what is not ASCII: with one letter beyond Latin-1 V8 keeps the whole text at two bytes a letter. esbuild leaves such letters in
 * regular expressions alone.
 */
function inAscii(text) {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
