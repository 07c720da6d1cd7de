import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { projectRoot } from '../storage/threads';
import type { CliContext } from './context';
import { addArchiveCommands } from './operations/archive-commands';
import {
  addBehaviourCommands,
  addJobCommands,
  addReindexCommands,
  addScheduleCommands,
} from './operations/job-commands';
import { addExperimentCommands } from './relevance/experiment-commands';
import { addFeedCommands } from './operations/feed-commands';
import { addCatalogCommands } from './operations/catalog-commands';
import { addMerchandisingCommands } from './relevance/merchandising-commands';
import { addReplayCommand } from './relevance/replay-commands';
import { addSearchCommands } from './relevance/metrics-commands';
import { addShowcaseCommands } from './relevance/showcase-commands';
import { addStoreCommands } from './operations/store-commands';
import { addTemplateCommands } from './relevance/template-commands';
import { addTokenCommands } from './operations/token-commands';
import { addTuneCommand } from './relevance/tuning-commands';
import { addWebhookCommands } from './operations/webhook-commands';
import { addWhyCommand } from './relevance/why-commands';
import { addConsoleCommands } from './operations/console-commands';

/** `vitrine <noun> <verb>`: `token`, `backup`, `export` and `import` work by themselves, everything else calls the running service. */
export function makeProgram(context: CliContext): Command {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
  const program = new Command('vitrine')
    .description('The service is found at VITRINE_URL, or PUBLIC_URL, or HOST and PORT; VITRINE_TOKEN is used if set.')
    .version(version);
  addTokenCommands(program, context);
  addConsoleCommands(program, context);
  addStoreCommands(program, context);
  addJobCommands(program, context);
  addScheduleCommands(program, context);
  addReindexCommands(program, context);
  addBehaviourCommands(program, context);
  addFeedCommands(program, context);
  addCatalogCommands(program, context);
  addMerchandisingCommands(program, context);
  addSearchCommands(program, context);
  addShowcaseCommands(program, context);
  const template = addTemplateCommands(program, context);
  addReplayCommand(template, context);
  addTuneCommand(template, context);
  addExperimentCommands(program, context);
  addWebhookCommands(program, context);
  addWhyCommand(program, context);
  addArchiveCommands(program, context);
  return program;
}
