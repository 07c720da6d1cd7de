import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import type { PutDocument } from '../../src/documents/documents';
import { ApiError } from '../../src/shared/api-error';
import { type BehaviourDatabase, behaviourDatabase, TestClock } from '../support/behaviour-database';
import { QueueProcesses } from '../support/bullmq';
import { describeOn } from '../support/servers';

/** Writes what it is told to, and says that it did not: as where the answer comes too late. */
class MutedDocuments extends EmbeddedDocuments {
  private muted = 0;

  constructor(
    { database }: BehaviourDatabase,
    private readonly isMuted: (documents: readonly PutDocument[]) => boolean,
  ) {
    super(database);
  }

  override async put(documents: PutDocument[]): Promise<number[]> {
    const versions = await super.put(documents);
    if (this.muted > 0 || !this.isMuted(documents)) return versions;
    this.muted += 1;
    throw new ApiError('unavailable', 'The storage does not answer at the moment; try again', { retryAfter: 1 });
  }
}

jest.setTimeout(60_000);

const takesAJob = (documents: readonly PutDocument[]): boolean => documents.some(({ kind }) => kind === 'job-turn');

describeOn('redis', ({ redis }) => {
  test('a job whose taking was stored, and not answered, begins at once: nobody waits for a lease that nobody has', async () => {
    const data = await behaviourDatabase();
    // The clock stands, so that no lease is ever over.
    const processes = new QueueProcesses(redis, { clock: new TestClock(), times: { reconcile: 100, stop: 1000 } });
    const { jobs } = await processes.start(new MutedDocuments(data, takesAJob));
    try {
      const ran = new Promise<void>((resolve) => jobs.process('once', async () => resolve()));
      await jobs.start();
      const id = await jobs.enqueue({ kind: 'once', store: 's1', payload: null });
      await ran;
      expect(await jobs.find({ id })).toMatchObject([{ attempts: 1 }]);
    } finally {
      await processes.close();
      await data.close();
    }
  });
});
