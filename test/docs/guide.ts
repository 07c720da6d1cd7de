import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/storage/threads';

const execute = promisify(execFile);
const COMMAND = 'npm run -s vitrine --';
const cli = `${JSON.stringify(process.execPath)} ${JSON.stringify(join(projectRoot, 'dist', 'cli.js'))}`;
/** Milliseconds: a page's commands, each a process of its own, on a busy machine. */
const WITHIN_MS = 120_000;

/** What a page has its reader type or copy. */
export interface Block {
  /** The number of its section; 0: it stands in none with a number. */
  section: number;
  kind: string;
  text: string;
}

export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(projectRoot, 'docs', page), 'utf8');
  return text.split(/^(?=## )/m).flatMap((part) => {
    const section = Number(/^## (\d+)\./.exec(part)?.[1] ?? 0);
    const fences = [...part.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
    return fences.map(([, kind = '', block = '']) => ({ section, kind, text: block }));
  });
}

/** A reader in a folder of their own, beside a service that runs: its port in place of 3000, and nothing else is changed in what a page says. */
export class Reader {
  private readonly exported: string[] = [];

  constructor(
    private readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly ports: Readonly<Record<string, number>>,
  ) {}

  here(text: string): string {
    return Object.entries(this.ports).reduce(
      (all, [port, real]) => all.replace(new RegExp(`(?<=:|--port )${port}\\b`, 'g'), `${real}`),
      text,
    );
  }

  /** What the block prints; throws where a command of it fails. `export` lines hold for what follows, as in one terminal. */
  async type(block: Block): Promise<string> {
    const script = this.here(block.text).replaceAll(COMMAND, cli);
    const own = script.split('\n').filter((line) => line.startsWith('export '));
    const lines = [...this.exported, script].join('\n');
    const { PATH = '' } = process.env;
    const { stdout } = await execute('bash', ['-e', '-o', 'pipefail', '-c', lines], {
      cwd: this.folder,
      env: { PATH, ...this.env },
      timeout: WITHIN_MS,
    });
    this.exported.push(...own);
    return stdout;
  }

  /** The value of a variable that was exported. */
  async value(name: string): Promise<string> {
    return (await this.type({ section: 0, kind: 'sh', text: `printf %s "$${name}"` })).trim();
  }
}
