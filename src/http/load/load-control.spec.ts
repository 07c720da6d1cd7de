import type { FastifyRequest } from 'fastify';
import type { Storage } from '../../storage/storage';
import { AnswerLimit } from '../answer-limit';
import { Metrics } from '../health/metrics';
import { BACKEND, LoadControl, type LoadNames } from './load-control';

const ANSWER_MS = 1000;

describe('writes of many items', () => {
  let control: LoadControl;
  let begun: string[];
  let end: () => void;
  let ended: Promise<void>;
  let written: Promise<unknown>[];

  const controlOn = (mode: 'embedded' | 'production'): void => {
    const choose = <T>(by: Record<typeof mode, (parts: object) => T>): T => by[mode]({});
    const storage = { choose, answerMs: ANSWER_MS, oldestWriteMs: 0 } as unknown as Storage;
    control = new LoadControl(storage, new AnswerLimit(storage), new Metrics());
  };
  beforeEach(() => {
    [begun, written] = [[], []];
    ended = new Promise<void>((resolve) => (end = resolve));
  });
  afterEach(async () => {
    end();
    await Promise.all(written);
    control.onModuleDestroy();
  });

  const body = { items: Array.from({ length: 50 }, (_, n) => ({ pid: `${n}` })) };
  const request = (): FastifyRequest => ({ raw: {}, body }) as unknown as FastifyRequest;
  const write = (names: LoadNames, count: number): void => {
    const work = (): Promise<void> => (begun.push(names[1]), ended);
    for (let n = 0; n < count; n += 1) written.push(control.write(names, request(), work));
  };
  const later = (): Promise<unknown> => new Promise((done) => setTimeout(done, 100));
  /** Several turns of the event loop begin them, and a busy machine may take long for these; then it is seen that no more begin. */
  const beginning = async (count: number): Promise<void> => {
    for (let n = 0; n < 50 && begun.length < count; n += 1) await later();
    await later();
  };

  test('of an address are few at once on Elasticsearch, and keep nobody else waiting', async () => {
    controlOn('production');
    write(['shop', '10.0.0.1'], 6);
    await beginning(2);
    expect(begun).toHaveLength(2);
    write(['shop', '10.0.0.2'], 1);
    await beginning(3);
    expect(begun.at(-1)).toBe('10.0.0.2');
    end();
    await Promise.all(written);
    expect(begun).toHaveLength(7);
  });

  test('of a backend are more', async () => {
    controlOn('production');
    write(['shop', BACKEND], 20);
    await beginning(16);
    expect(begun).toHaveLength(16);
  });

  test('of the embedded engine are as many as there are', async () => {
    controlOn('embedded');
    write(['shop', '10.0.0.1'], 20);
    await beginning(20);
    expect(begun).toHaveLength(20);
  });
});
