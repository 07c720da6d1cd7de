import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { estypes } from '@elastic/elasticsearch';
import { projectRoot } from '../threads';

/** Settings and mappings of an index. `_meta.schema` grows with every change of the mappings. */
export interface IndexDefinition {
  settings: estypes.IndicesIndexSettings;
  mappings: estypes.MappingTypeMapping & { _meta: { schema: number } };
}

/** `elastic/<name>.json`. */
export function indexDefinition(name: string): IndexDefinition {
  return JSON.parse(readFileSync(join(projectRoot, 'elastic', `${name}.json`), 'utf8')) as IndexDefinition;
}

let defined: ReadonlySet<string> | undefined;

/** Names, without the prefix, of all that has a definition; an index of a month is named after its family. */
export function definedIndices(): ReadonlySet<string> {
  const files = (): string[] => readdirSync(join(projectRoot, 'elastic')).filter((file) => file.endsWith('.json'));
  defined ??= new Set(files().map((file) => file.slice(0, -'.json'.length)));
  return defined;
}
