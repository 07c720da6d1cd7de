import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './table';

const root = join(__dirname, '../..');
/** Lowest first; the rooms of a layer do not import each other. */
const layers = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8')) as Record<string, string>[];

const SECTION = /(<!-- layers: npm run docs -->\n).*(\n<!-- \/layers -->)/s;

function drawing(): string {
  const lines = layers.map((layer) => Object.keys(layer).join('   ')).reverse();
  const boot = 'main.ts   worker.ts   cli.ts   app.module.ts ...';
  const width = Math.max(boot.length, ...lines.map((line) => line.length)) + 4;
  const box = (text: string): string => `│${text.padStart((width + text.length) >> 1).padEnd(width)}│`;
  const between = `├${'─'.repeat(width)}┤`;
  return [`┌${'─'.repeat(width)}┐`, [boot, ...lines].map(box).join(`\n${between}\n`), `└${'─'.repeat(width)}┘`].join(
    '\n',
  );
}

function rooms(): string {
  const rows = layers.flatMap((layer) => Object.entries(layer).map(([room, owns]) => [`\`src/${room}\``, owns]));
  return table([['room', 'what it owns'], ...rows.reverse()]);
}

/** docs/architecture.md, with the section that follows from layers.json made anew. */
export function withLayers(page: string): string {
  const section = ['```', drawing(), '```', '', rooms()].join('\n');
  return page.replace(SECTION, (_all, start: string, end: string) => `${start}\n${section}\n${end}`);
}
