import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { projectRoot } from '../storage/threads';
import type { CliContext } from './context';
import { addArchiveCommands } from './archive-commands';
import { addBehaviourCommands, addJobCommands } from './job-commands';
import { addShowcaseCommands } from './showcase-commands';
import { addStoreCommands } from './store-commands';
import { addTokenCommands } from './token-commands';

/** `vitrine <noun> <verb>`: `token`, `backup`, `export` and `import` work by themselves, everything else calls the running service. */
export function makeProgram(context: CliContext): Command {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
  const program = new Command('vitrine')
    .description('The service is found at VITRINE_URL, or PUBLIC_URL, or HOST and PORT; VITRINE_TOKEN is used if set.')
    .version(version);
  addTokenCommands(program, context);
  addStoreCommands(program, context);
  addJobCommands(program, context);
  addBehaviourCommands(program, context);
  addShowcaseCommands(program, context);
  addArchiveCommands(program, context);
  return program;
}
