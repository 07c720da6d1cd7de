import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../shared/clock';
import { ApiError } from '../../../shared/api-error';
import { lineBatches, type NdjsonLine } from '../../../shared/ndjson';
import { EVENT_BODY_LIMIT } from '../../../http/body-limit';
import { parseJson } from '../../../http/body-parsers';
import { ImportFiles } from '../../../jobs/imports/import-files';
import { ImportReport, type ImportResult } from '../../../jobs/imports/import-report';
import { type JobContext, JobQueue } from '../../../jobs/job-queue';
import type { Store } from '../../../stores/store';
import { StoresService } from '../../../stores/stores.service';
import { LearningService } from '../../learning/learning.service';
import { EventIntake } from '../event-intake';
import { EventJudge } from '../event-judge';
import type { NewEvent } from '../event-log';
import { aggregateSoon } from '../../profiles/profile-jobs';
import { eventName, type ParsedEvent, parseEvent } from '../event-schema';
import { idempotencyKeys } from '../idempotency-keys';

const EVENTS_A_WRITE = 500;
/** Lines read before others get a turn of the event loop: a few milliseconds. */
const LINES = { longest: EVENT_BODY_LIMIT, lines: 25 };

interface Payload {
  file: string;
}

/** What a run of the job works with. */
interface Run {
  store: Store;
  job: string;
  report: ImportReport;
}

interface JudgedLine {
  event: NewEvent;
  line: number;
}

/** History a store brings along: a body staged durably, then read line by line by a job. */
@Injectable()
export class EventImports implements OnModuleInit {
  constructor(
    private readonly files: ImportFiles,
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly judge: EventJudge,
    private readonly intake: EventIntake,
    private readonly learning: LearningService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process<Payload>('events.import', (context) => this.run(context));
  }

  /** 415 unless the body is a stream (NDJSON). */
  async stage(store: Store, body: unknown, askedBy?: string): Promise<{ jobId: string }> {
    if (!(body instanceof Readable)) {
      throw new ApiError('unsupported_media_type', 'Send application/x-ndjson: one event on each line');
    }
    const { file } = await this.files.stage(store.id, body);
    const jobId = await this.jobs.enqueue({ kind: 'events.import', store: store.id, payload: { file }, askedBy });
    return { jobId };
  }

  /** May run again after a crash: what is in the log already counts as unchanged then. */
  private async run({ job, payload, signal, progress }: JobContext<Payload>): Promise<ImportResult> {
    const store = this.stores.byId(job.store);
    const report = new ImportReport();
    if (!store) {
      await this.files.remove(payload.file);
      return report.finish();
    }
    const staged = await this.files.open(payload.file);
    if (!staged) {
      // A run whose process ended before it could say so has done all of it: it removes the body at its end.
      if (job.attempts > 1) return report.finish();
      throw new Error('The staged body is gone');
    }
    const { stream, bytes } = staged;
    const run: Run = { store, job: job.id, report };
    // One batch is being written while the next is read and prepared: so two are in memory, whatever the size of the body.
    let writing: Promise<unknown> = Promise.resolve();
    let batch: JudgedLine[] = [];
    const flush = async (end: number): Promise<void> => {
      await writing;
      signal.throwIfAborted();
      // Done is what was written: whoever sees it finds its events after a crash.
      writing = this.write(run, batch).then(() => progress(end, bytes));
      // Awaited with the next batch; until then a failure must not count as unhandled.
      writing.catch(() => undefined);
      batch = [];
    };
    try {
      for await (const lines of lineBatches(stream, LINES)) {
        batch.push(...(await this.judgeLines(run, lines)));
        if (batch.length >= EVENTS_A_WRITE) await flush(lines.at(-1)?.end ?? 0);
        await nextTurn();
      }
      await flush(bytes);
      await writing;
    } finally {
      stream.destroy();
    }
    await this.learning.request(store.id);
    await this.jobs.enqueue(aggregateSoon(store.id));
    await this.files.remove(payload.file);
    return report.finish();
  }

  private async judgeLines({ store, job, report }: Run, lines: NdjsonLine[]): Promise<JudgedLine[]> {
    const receivedAt = this.clock.now();
    const parsed = lines.flatMap((line) => {
      const event = this.parseLine(line, report);
      return event ? [{ event, line: line.number }] : [];
    });
    const received = parsed.map(({ event, line }) => {
      const keys = idempotencyKeys(event);
      // Strangers are never taken for one another, but this line is imported once even if the job runs twice.
      if (keys.length === 0) keys.push(`l:${job}:${line}`);
      const at = event.timestamp ?? receivedAt;
      return { event, at, receivedAt, idempotencyKeys: keys, keyed: true, addressHash: null, suspicion: null };
    });
    const judged = await this.judge.judge(store, received);
    return judged.map((event, index) => ({ event, line: parsed[index]?.line ?? 0 }));
  }

  private async write({ store, report }: Run, batch: JudgedLine[]): Promise<void> {
    const results = await this.intake.append(
      store.id,
      batch.map(({ event }) => event),
    );
    results.forEach(({ outcome }, index) => {
      const line = batch[index]?.line ?? 0;
      if (outcome === 'stored') report.count('accepted');
      else if (outcome === 'duplicate') report.count('unchanged');
      else report.reject({ line, error: 'erased', message: 'Its user was erased after this time' });
    });
  }

  private parseLine({ number: line, bytes }: NdjsonLine, report: ImportReport): ParsedEvent | null {
    try {
      if (bytes === null) throw new ApiError('body_too_large', 'An event may have up to 65,536 bytes');
      const text = bytes.toString('utf8').trim();
      if (text === '') return null;
      const { name, ...body } = objectOf(parseJson(Buffer.from(text)));
      const event = parseEvent(eventName(name), body);
      if (event.timestamp === null) throw new ApiError('invalid_body', 'timestamp: Required: when it happened');
      if (event.timestamp > this.clock.now())
        throw new ApiError('invalid_body', 'timestamp: The time has to be in the past');
      return event;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      report.reject({ line, error: error.code, message: error.message });
      return null;
    }
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ApiError('invalid_body', 'A line has to be a JSON object');
}
