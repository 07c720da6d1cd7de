import { Readable } from 'node:stream';
import type { ImportFiles } from '../../../jobs/imports/import-files';
import type { JobHandler, JobQueue } from '../../../jobs/job-queue';
import type { StoresService } from '../../../stores/stores.service';
import type { LearningService } from '../../learning/learning.service';
import type { EventIntake } from '../event-intake';
import type { EventJudge } from '../event-judge';
import { EventImports } from './event-imports';

describe('a run of an import', () => {
  const steps: string[] = [];
  const step =
    <T>(name: string, result?: T) =>
    async (): Promise<T | undefined> => {
      steps.push(name);
      return result;
    };

  /** `body`: null where it is gone. */
  function run(body: string | null, attempts: number): Promise<unknown> {
    let handler: JobHandler | undefined;
    const files = {
      open: async () => (body === null ? null : { stream: Readable.from([Buffer.from(body)]), bytes: body.length }),
      remove: step('remove'),
    };
    const jobs = {
      process: (_kind: string, given: JobHandler) => {
        handler = given;
      },
      enqueue: step('aggregate'),
    };
    new EventImports(
      files as unknown as ImportFiles,
      jobs as unknown as JobQueue,
      { byId: (id: string) => ({ id }) } as unknown as StoresService,
      { judge: async () => [] } as unknown as EventJudge,
      { append: step('append', []) } as unknown as EventIntake,
      { request: step('learn') } as unknown as LearningService,
      { now: () => 0 },
    ).onModuleInit();
    const context = { job: { id: 'j', store: 's1', attempts }, payload: { file: 'f' } };
    const { signal } = new AbortController();
    return (handler as unknown as (context: unknown) => Promise<unknown>)({
      ...context,
      signal,
      progress: step('progress'),
    });
  }

  it('removes the body at its very end', async () => {
    await run('\n', 1);
    expect(steps.at(-1)).toBe('remove');
    expect(steps).toEqual(expect.arrayContaining(['append', 'learn', 'aggregate']));
  });

  it('fails where the body is gone, but not after a run that removed it and was killed', async () => {
    await expect(run(null, 1)).rejects.toThrow('The staged body is gone');
    expect(await run(null, 2)).toMatchObject({ rejected: 0 });
  });
});
