import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedImportFiles } from '../../src/jobs/imports/adapters/embedded/embedded-import-files';
import { behaviourDatabase } from '../support/behaviour-database';
import { describeImportFilesContract } from './import-files.contract';

describeImportFilesContract('embedded', async () => {
  const data = await behaviourDatabase();
  return {
    files: new EmbeddedImportFiles(data.database),
    reopen: async () => new EmbeddedImportFiles(await data.reopen()),
    stored: async () => readdirSync(join(dirname(data.database.path), 'imports')),
    close: () => data.close(),
  };
});
