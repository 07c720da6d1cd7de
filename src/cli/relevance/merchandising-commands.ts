import type { Command } from 'commander';
import { add, type CliContext, readJson, storePath } from '../context';

/** Each is one list of a store, which is shown and replaced as a whole. */
const NOUNS = {
  synonyms: 'words that stand for each other in searches',
  redirects: 'queries that lead to a page',
  rules: 'products that are pinned, hidden, boosted or buried',
  hotsites: 'curated lists of products',
  banners: 'banners that replies carry',
} as const;

export function addMerchandisingCommands(program: Command, context: CliContext): void {
  for (const [noun, description] of Object.entries(NOUNS)) {
    const list = add(program, noun, description);
    add(list, 'get <apiKey>', `the ${noun} of a store, as JSON`).action((apiKey: string) =>
      context.show('GET', storePath(apiKey, `/${noun}`)),
    );
    const setting = `replace the ${noun} from a JSON file (standard input, where none is named), within a second`;
    add(list, 'set <apiKey> [file]', setting).action((apiKey: string, file = '-') =>
      context.show('PUT', storePath(apiKey, `/${noun}`), { body: bodyOf(noun, readJson(file)) }),
    );
  }
}

/** The list alone will do. */
const bodyOf = (noun: string, sent: unknown): unknown => (Array.isArray(sent) ? { [noun]: sent } : sent);
