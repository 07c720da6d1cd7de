import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { ImportFiles } from '../../import-files';

/** Files in `imports` beside the database. */
export class EmbeddedImportFiles extends ImportFiles {
  private readonly folder: string;

  constructor(database: EmbeddedDatabase) {
    super();
    this.folder = join(dirname(database.path), 'imports');
  }

  override async stage(store: string, body: Readable): Promise<{ file: string; bytes: number }> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = `${store}.${randomUUID()}`;
    const partial = join(this.folder, `${file}.part`);
    try {
      // `flush`: on disk before the stream is done.
      const target = createWriteStream(partial, { mode: 0o600, flush: true });
      await pipeline(body, target);
      await rename(partial, join(this.folder, file));
      await this.syncFolder();
      return { file, bytes: target.bytesWritten };
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  override async open(file: string): Promise<{ stream: Readable; bytes: number } | null> {
    const handle = await open(join(this.folder, file)).catch(() => null);
    if (!handle) return null;
    const { size } = await handle.stat();
    return { stream: handle.createReadStream({ highWaterMark: 256 * 1024 }), bytes: size };
  }

  override async remove(file: string): Promise<void> {
    await rm(join(this.folder, file), { force: true });
  }

  override async removeStore(store: string): Promise<number> {
    const names = await this.names();
    const own = names.filter((name) => name.startsWith(`${store}.`));
    for (const name of own) await this.remove(name);
    return own.length;
  }

  override async expire(before: number): Promise<number> {
    let expired = 0;
    for (const name of await this.names()) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => null);
      if (!found || found.mtimeMs >= before) continue;
      await rm(path, { force: true });
      expired += 1;
    }
    return expired;
  }

  private names(): Promise<string[]> {
    return readdir(this.folder).catch(() => []);
  }

  /** The name of a new file is durable only when its folder is. */
  private async syncFolder(): Promise<void> {
    const folder = await open(this.folder);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}
