import type { Command } from 'commander';
import { add, addForStore, type CliContext, readJson, type StoreOption, storePath } from '../context';

const experimentPath = (apiKey: string, name: string): string =>
  storePath(apiKey, `/experiments/${encodeURIComponent(name)}`);

export function addExperimentCommands(program: Command, context: CliContext): void {
  const experiment = add(program, 'experiment', 'which shoppers are ranked with which template, and what came of it');
  addForStore(experiment, 'list', 'every experiment, ended ones too').action(({ store }: StoreOption) =>
    context.show('GET', storePath(store, '/experiments')),
  );
  addForStore(experiment, 'get <name>', 'one experiment').action((name: string, { store }: StoreOption) =>
    context.show('GET', experimentPath(store, name)),
  );
  addForStore(experiment, 'put <name> <file>', 'make or replace one from a JSON file; - is standard input').action(
    (name: string, file: string, { store }: StoreOption) =>
      context.show('PUT', experimentPath(store, name), { body: readJson(file) }),
  );
  addForStore(experiment, 'results <name>', 'by variant, control and holdout: what shoppers did').action(
    (name: string, { store }: StoreOption) => context.show('GET', `${experimentPath(store, name)}/results`),
  );
  addForStore(experiment, 'delete <name>', 'everybody gets the template that serves again').action(
    (name: string, { store }: StoreOption) => context.show('DELETE', experimentPath(store, name)),
  );
}
