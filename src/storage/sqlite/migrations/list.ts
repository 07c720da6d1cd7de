import { catalogTables } from './catalog';
import { documentsTables } from './documents';
import { engineTables } from './engine';
import { eventsTables } from './events';
import { jobsTables } from './jobs';
import { learningTables } from './learning';
import { profilesTables } from './profiles';
import { showcaseTables } from './showcase';

/** Forward only; a released entry never changes. `user_version` is the number of entries applied. */
export const migrations: readonly string[] = [
  [documentsTables, catalogTables, engineTables, eventsTables, profilesTables, learningTables, jobsTables].join('\n'),
  showcaseTables,
];
