import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import { Secrets } from '../config/secrets';
import { Settings } from '../config/settings';
import { JobQueue } from '../jobs/job-queue';
import { Clock } from '../shared/clock';
import { type Archive, type ArchiveEntry, ARCHIVES } from '../storage/archive';
import { ArchiveError, type EntryCounts, fingerprints, FORMAT, type Header, lineOf, VERSION } from './archive-format';

const isStore = (entry: ArchiveEntry): boolean =>
  entry.type === 'document' && 'kind' in entry && entry.kind === 'store';

/** Writes a whole installation into one file: gzipped NDJSON (docs/operations.md). */
@Injectable()
export class Exporter {
  constructor(
    @Inject(ARCHIVES) private readonly archives: readonly Archive[],
    private readonly jobs: JobQueue,
    private readonly settings: Settings,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** The file appears whole or not at all. Throws ArchiveError where it exists, or something is being written. Answers its absolute path. */
  async export(file: string): Promise<{ file: string; entries: EntryCounts }> {
    const target = resolve(file);
    if (existsSync(target)) throw new ArchiveError(`${target} is there already: an export takes a new file`);
    await this.refuseUnfinished();
    const before = await this.state();
    const counts: EntryCounts = {};
    const unfinished = `${target}.part-${process.pid}`;
    try {
      const output = createWriteStream(unfinished, { mode: 0o600, flush: true });
      await pipeline(Readable.from(this.lines(counts), { objectMode: true }), createGzip(), output);
      if ((await this.state()) !== before) {
        throw new ArchiveError('Something was written meanwhile: stop every process of the service and export again');
      }
      renameSync(unfinished, target);
    } finally {
      rmSync(unfinished, { force: true });
    }
    return { file: target, entries: counts };
  }

  private async *lines(counts: EntryCounts): AsyncGenerator<string> {
    const digest = createHash('sha256');
    const digested = (text: string): string => {
      digest.update(text);
      return text;
    };
    const write = (entries: readonly ArchiveEntry[]): string => {
      for (const { type } of entries) counts[type] = (counts[type] ?? 0) + 1;
      return digested(entries.map(lineOf).join(''));
    };
    yield digested(lineOf(this.header()));
    const stores: ArchiveEntry[] = [];
    for (const archive of this.archives) {
      for await (const page of archive.read()) {
        stores.push(...page.filter(isStore));
        yield write(page.filter((entry) => !isStore(entry)));
      }
    }
    yield write(stores);
    const entries = Object.values(counts).reduce((sum, count) => sum + count, 0);
    yield lineOf({ type: 'end', entries, sha256: digest.digest('base64url') });
  }

  private header(): Header {
    return {
      type: 'header',
      format: FORMAT,
      version: VERSION,
      id: randomUUID(),
      createdAt: new Date(this.clock.now()).toISOString(),
      from: this.settings.storage,
      secrets: fingerprints(this.secrets),
    };
  }

  /** Uploads that were accepted and are not yet in the log would not be in the export. */
  private async refuseUnfinished(): Promise<void> {
    for (const state of ['waiting', 'active'] as const) {
      const [job] = await this.jobs.find({ kind: 'events.import', state, limit: 1 });
      if (!job) continue;
      throw new ArchiveError(
        `The job ${job.id} (events.import) is not done: let the service finish or cancel it first`,
      );
    }
  }

  private async state(): Promise<string> {
    return (await Promise.all(this.archives.map((archive) => archive.state()))).join('\n');
  }
}
