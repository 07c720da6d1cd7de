import { Readable } from 'node:stream';
import type { ImportFiles } from '../../../jobs/imports/import-files';
import { JobFailure } from '../../../jobs/job-queue';
import type { FeedFiles } from '../import-payload';

const namesOf = (staged: FeedFiles): string[] => ('files' in staged ? staged.files : [staged.file]);

/** From its beginning; pieces follow one another as if they were one file. */
export async function openStaged(files: ImportFiles, staged: FeedFiles): Promise<Readable> {
  const [first = '', ...others] = namesOf(staged);
  const stream = await open(files, first);
  return others.length === 0 ? stream : Readable.from(joined(files, stream, others), { objectMode: false });
}

export async function removeStaged(files: ImportFiles, staged: FeedFiles): Promise<void> {
  for (const file of namesOf(staged)) await files.remove(file);
}

async function* joined(files: ImportFiles, first: Readable, others: readonly string[]): AsyncGenerator<Buffer> {
  yield* first as AsyncIterable<Buffer>;
  for (const file of others) yield* (await open(files, file)) as AsyncIterable<Buffer>;
}

async function open(files: ImportFiles, file: string): Promise<Readable> {
  const found = await files.open(file);
  if (!found) throw new JobFailure('The staged feed is gone');
  return found.stream;
}
