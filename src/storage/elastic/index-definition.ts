import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { estypes } from '@elastic/elasticsearch';
import { SettingsError } from '../../config/settings';
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

/** Ours have a number of their schema, also one that came to be by our template. */
export const alien = (index: string): SettingsError =>
  new SettingsError(
    `The index ${index} was made by somebody else (it has no schema number): delete or rename it, or set another INDEX_PREFIX`,
  );

export function refuseNewer(index: string, schema: number, { mappings }: IndexDefinition): void {
  const wanted = mappings._meta.schema;
  if (schema <= wanted) return;
  throw new SettingsError(
    `The index ${index} has schema ${schema}, and this version knows ${wanted}: start the version that made it, or a newer one`,
  );
}
