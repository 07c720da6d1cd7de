import { readFileSync } from 'node:fs';
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
