import type { Command } from 'commander';
import { CliError } from '../admin-client';
import { add, addForStore, type CliContext, readJson, type StoreOption, storePath } from '../context';

export const templatePath = (apiKey: string, name: string, rest = ''): string =>
  storePath(apiKey, `/templates/${encodeURIComponent(name)}${rest}`);

/** `--version` would be the program's own. */
export const addVersioned = (parent: Command, usage: string, description: string): Command =>
  addForStore(parent, usage, description).option('--of-version <number>', 'not the newest version');

export interface Versioned extends StoreOption {
  ofVersion?: string;
}

export const collect = (value: string, before: string[] = []): string[] => [...before, value];

export const wholeNumber = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new CliError(`"${text}" is no whole number`);
  return Number(text);
};

export function addTemplateCommands(program: Command, context: CliContext): Command {
  const template = add(program, 'template', 'boost templates: what ranking weighs');
  addReading(template, context);
  addChanging(template, context);
  return template;
}

function addReading(template: Command, context: CliContext): void {
  addForStore(template, 'list', 'every template with its versions, and what was active').action(
    ({ store }: StoreOption) => context.show('GET', storePath(store, '/templates')),
  );
  addVersioned(template, 'get <name>', 'a template, as a document to edit').action(
    (name: string, { store, ofVersion }: Versioned) =>
      context.show('GET', templatePath(store, name), { query: { version: ofVersion } }),
  );
  addForStore(template, 'validate <file>', 'every mistake of a document, with its path; - is standard input').action(
    async (file: string, { store }: StoreOption) => {
      const path = storePath(store, '/templates/validate');
      const found = (await context.client().call('POST', path, { body: readJson(file) })) as Validation;
      if (found.valid) return context.print(`${file} is valid`);
      const lines = found.mistakes.map((mistake) => `\n  ${mistake.path}: ${mistake.message}`);
      throw new CliError(`${file} has ${found.mistakes.length} mistakes${lines.join('')}`);
    },
  );
  addVersioned(template, 'diff <name>', 'what changes from the template that serves')
    .option('--from <name>', 'from another template')
    .option('--from-version <number>')
    .action((name: string, { store, ofVersion, from, fromVersion }: Versioned & DiffOptions) =>
      context.show('GET', templatePath(store, name, '/diff'), { query: { version: ofVersion, from, fromVersion } }),
    );
  addVersioned(template, 'preview <name>', 'searches with the template that serves and with this one')
    .requiredOption('--query <terms>', 'what is searched; may be repeated', collect)
    .option('--user <userId>', 'for whom, beside nobody; may be repeated', collect)
    .option('--filter <filter>', 'as a search takes it; may be repeated', collect)
    .option('--source <source>')
    .option('--limit <number>', 'products of each order')
    .action(async (name: string, options: Versioned & PreviewOptions) => {
      const { store, ofVersion, query, user, filter, source, limit } = options;
      const searched = { users: user, filter, source, limit: wholeNumber(limit), version: wholeNumber(ofVersion) };
      for (const terms of query)
        await context.show('POST', templatePath(store, name, '/preview'), { body: { terms, ...searched } });
    });
}

function addChanging(template: Command, context: CliContext): void {
  addForStore(template, 'put <name> <file>', 'make a version from a JSON file; - is standard input').action(
    (name: string, file: string, { store }: StoreOption) =>
      context.show('PUT', templatePath(store, name), { body: readJson(file) }),
  );
  addVersioned(template, 'activate <name>', 'rank with it, on every replica within a second')
    .option('--force', 'also where the store asks for a replay first')
    .action((name: string, { store, ofVersion, force }: Versioned & { force?: true }) =>
      context.show('POST', templatePath(store, name, '/activate'), {
        body: { version: wholeNumber(ofVersion), force },
      }),
    );
  addForStore(template, 'rollback', 'rank with what was active before').action(({ store }: StoreOption) =>
    context.show('POST', storePath(store, '/templates/rollback')),
  );
}

interface Validation {
  valid: boolean;
  mistakes: { path: string; message: string }[];
}

interface DiffOptions {
  from?: string;
  fromVersion?: string;
}

interface PreviewOptions {
  query: string[];
  user?: string[];
  filter?: string[];
  source?: string;
  limit?: string;
}
