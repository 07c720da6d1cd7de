import type { Command } from 'commander';
import { BackupError, backUp } from '../storage/sqlite/backup';
import { CliError } from './admin-client';
import { add, type CliContext } from './context';

export function addBackupCommand(program: Command, context: CliContext): void {
  const description = 'copy the embedded database and its secrets into a new folder; the service may go on meanwhile';
  add(program, 'backup <folder>', description).action((folder: string) => {
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
}
