import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { ArchiveError } from '../../archive/archive-format';
import type { Archiving } from '../../archive/archive.module';
import type { Settings } from '../../config/settings';
import { BackupError, backUp } from '../../storage/sqlite/backup';
import { databasePath } from '../../storage/sqlite/embedded-database';
import { CliError } from '../admin-client';
import { add, type CliContext } from '../context';

/** What it needs is loaded only here: other commands are done sooner than that. */
async function run(
  settings: Settings,
  options: { alone: boolean },
  work: (archiving: Archiving) => Promise<unknown>,
): Promise<unknown> {
  const { withArchives } = require('../../archive/archive.module') as typeof import('../../archive/archive.module');
  try {
    return await withArchives(settings, options, work);
  } catch (error) {
    throw error instanceof ArchiveError ? new CliError(error.message) : error;
  }
}

export function addArchiveCommands(program: Command, context: CliContext): void {
  const backup = 'copy the embedded database and its secrets into a new folder; the service may go on meanwhile';
  add(program, 'backup <folder>', backup).action((folder: string) => {
    const { storage, dataDir } = context.settings();
    if (storage === 'production') {
      throw new CliError('backup copies the embedded database; Elasticsearch has snapshots (docs/operations.md)');
    }
    try {
      context.print(backUp(dataDir, folder));
    } catch (error) {
      throw error instanceof BackupError ? new CliError(error.message) : error;
    }
  });
  const exporting = 'write everything there is into one new file, to be imported elsewhere; stop the service first';
  add(program, 'export <file>', exporting).action(async (file: string) => {
    const settings = context.settings();
    const { storage, dataDir } = settings;
    if (storage === 'embedded' && !existsSync(databasePath(dataDir))) {
      throw new CliError(`There is no database in ${dataDir}: DATA_DIR names the folder of the service`);
    }
    // It only reads, and refuses what changes meanwhile.
    context.print(await run(settings, { alone: false }, ({ exporter }) => exporter.export(file)));
  });
  const importing = 'read an export into an empty data folder or cluster; the next start of the service indexes it';
  add(program, 'import <file>', importing).action(async (file: string) =>
    context.print(await run(context.settings(), { alone: true }, ({ importer }) => importer.import(file))),
  );
}
