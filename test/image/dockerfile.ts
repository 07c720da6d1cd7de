/** One line of a Dockerfile, continuations joined: `RUN`, `npm ci`. */
export interface Instruction {
  name: string;
  text: string;
}

export interface Stage {
  /** `AS build`; absent for the last. */
  name?: string;
  instructions: Instruction[];
}

/** What a Dockerfile says, stage by stage. */
export function stagesOf(dockerfile: string): Stage[] {
  const stages: Stage[] = [];
  for (const line of dockerfile.replaceAll('\\\n', ' ').split('\n')) {
    const [, name, text = ''] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (name === 'FROM') {
      const as = / AS (\w+)$/.exec(text)?.[1];
      stages.push({ ...(as === undefined ? {} : { name: as }), instructions: [] });
      continue;
    }
    stages.at(-1)?.instructions.push({ name, text });
  }
  return stages;
}

/** The variables of all `ENV` lines; a value with spaces stands in quotes. */
export function environmentOf({ instructions }: Stage): Record<string, string> {
  const pairs = instructions
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ text }) => [...text.matchAll(/(\w+)=(?:"([^"]*)"|(\S*))/g)]);
  return Object.fromEntries(pairs.map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain]));
}

/** The words of the last line of that name which is a list: `CMD ["node", "dist/main.js"]`; options before it are left out. */
export function wordsOf({ instructions }: Stage, name: string): string[] {
  const text = instructions.findLast((one) => one.name === name)?.text ?? '';
  return JSON.parse(/\[.+\]$/.exec(text)?.[0] ?? '[]') as string[];
}

/** Where the lines of a stage work. */
export const folderOf = ({ instructions }: Stage): string =>
  instructions.findLast(({ name }) => name === 'WORKDIR')?.text ?? '/';
