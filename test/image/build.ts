import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { projectRoot } from '../../src/storage/threads';
import { folderOf, type Stage } from './dockerfile';
import { RootFolder } from './root-folder';

/** As .dockerignore has it. */
const IGNORED = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage']);

export interface Outcome {
  code: number | null;
  output: string;
}

export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

/** Does what the lines of a Dockerfile say, each stage in a root of its own. Answers the last one's. */
export async function buildImage(
  stages: readonly Stage[],
  work: string,
  say: (line: string) => void,
): Promise<RootFolder> {
  const roots = new Map<string, RootFolder>();
  for (const [number, stage] of stages.entries()) {
    const root = new RootFolder(join(work, stage.name ?? `stage-${number}`));
    roots.set(stage.name ?? '', root);
    await buildStage(stage, { root, roots, say });
  }
  const last = roots.get('');
  if (!last) throw new Error('The last stage of the Dockerfile has a name');
  return last;
}

interface Build {
  root: RootFolder;
  roots: ReadonlyMap<string, RootFolder>;
  say: (line: string) => void;
}

async function buildStage(stage: Stage, { root, roots, say }: Build): Promise<void> {
  const folder = folderOf(stage);
  mkdirSync(join(root.path, folder), { recursive: true });
  for (const { name, text } of stage.instructions) {
    if (name === 'COPY') copy(text, { root, roots, folder });
    if (name !== 'RUN') continue;
    const begun = performance.now();
    const { code, output } = await outcomeOf(root.run(['sh', '-c', text], { folder }));
    if (code !== 0) throw new Error(`RUN ${text}: ${code}\n${output}`);
    say(`RUN ${text}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }
}

function copy(text: string, { root, roots, folder }: Omit<Build, 'say'> & { folder: string }): void {
  const words = text.split(' ');
  const from = /^--from=(\w+)$/.exec(words[0] ?? '')?.[1];
  const names = from === undefined ? words : words.slice(1);
  const target = join(root.path, folder, names.at(-1) ?? '.');
  const source = from === undefined ? projectRoot : roots.get(from)?.path;
  if (source === undefined) throw new Error(`COPY ${text}: there is no such stage`);
  for (const name of names.slice(0, -1)) {
    const path = join(source, name);
    if (!existsSync(path)) throw new Error(`COPY ${text}: there is no ${name}`);
    // A folder's content goes into the target, a file into the folder that ends with a slash.
    const isInto = names.length > 2 || text.endsWith('/');
    const place = isInto ? join(target, basename(name)) : target;
    mkdirSync(dirname(place), { recursive: true });
    const filter = from === undefined ? (file: string): boolean => !IGNORED.has(basename(file)) : (): boolean => true;
    cpSync(path, place, { recursive: true, verbatimSymlinks: true, filter });
  }
}
