import { Readable } from 'node:stream';
import { ElasticImportFiles } from '../../src/jobs/imports/adapters/elastic/elastic-import-files';
import { headId, partId, partOperation } from '../../src/jobs/imports/adapters/elastic/file-requests';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import { TestClock } from '../support/behaviour-database';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { describeImportFilesContract } from './import-files.contract';

const DAY = 86_400_000;

describeOn('elasticsearch', ({ elasticsearch }) => {
  const open = async (clock = new TestClock()) => {
    const connection = await openElastic(elasticsearch);
    const index = connection.index('import-files');
    const reopen = () => ElasticImportFiles.open(connection, clock);
    return {
      connection,
      index,
      files: await reopen(),
      reopen,
      stored: async (): Promise<string[]> => {
        await connection.call((client, options) => client.indices.refresh({ index }, options));
        const found = await connection.call((client, options) => client.search({ index, _source: false }, options));
        return found.hits.hits.map(({ _id }) => _id ?? '').toSorted();
      },
      close: async () => {
        await dropIndices(connection);
        await connection.close();
      },
    };
  };

  describeImportFilesContract('Elasticsearch', open);

  it('what a process that died had staged in part goes after a day, and what is whole stays', async () => {
    const clock = new TestClock();
    const { connection, index, files, reopen, stored, close } = await open(clock);
    const { file } = await files.stage('s1', Readable.from([Buffer.from('whole')]));
    const broken = { file: 'broken', at: clock.now(), data: '' };
    await new BulkBatcher(connection).write([partOperation(index, 0, broken), partOperation(index, 1, broken)]);
    const whole = [headId(file), partId(file, 0)];
    expect(await stored()).toEqual([...whole, partId('broken', 0), partId('broken', 1)].toSorted());
    clock.advance(DAY + 1);
    const later = await (await reopen()).stage('s1', Readable.from([]));
    while ((await stored()).length > 3) await new Promise((wait) => setTimeout(wait, 20));
    expect(await stored()).toEqual([...whole, headId(later.file)].toSorted());
    await close();
  });
});
