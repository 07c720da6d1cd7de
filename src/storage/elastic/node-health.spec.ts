import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from '@elastic/elasticsearch';
import { NodeHealth } from './node-health';

const PING_AGAIN_MS = 5;
const error = (name: string): Error => Object.assign(new Error(name), { name });

describe('which node is asked', () => {
  const [a, b] = ['a', 'b'].map((id) => ({ url: new URL(`http://${id}`) }) as Connection) as [Connection, Connection];
  let silent: Set<Connection>;
  let nodes: Connection[];
  let health: NodeHealth;

  beforeEach(() => {
    silent = new Set();
    nodes = [a, b];
    const ping = async (node: Connection): Promise<number> => {
      if (silent.has(node)) throw error('TimeoutError');
      return 200;
    };
    health = new NodeHealth(() => nodes, ping, PING_AGAIN_MS);
  });
  afterEach(() => void (nodes = []));

  const picked = (): Set<Connection | null> => new Set(Array.from({ length: 4 }, () => health.pick()));
  const until = async (wanted: Connection[]): Promise<void> => {
    for (let tries = 0; tries < 400; tries += 1) {
      const now = picked();
      if (now.size === wanted.length && wanted.every((node) => now.has(node))) return;
      await wait(PING_AGAIN_MS);
    }
    throw new Error('It never came to that');
  };

  test('what changes is told once', () => {
    const told: unknown[] = [];
    health.onChange((node, up) => told.push([node, up]));
    silent.add(a);
    for (let times = 0; times < 2; times += 1) health.failed(a, error('ConnectionError'), 0);
    expect([told, health.down]).toEqual([[['a', false]], 1]);
    health.answered(a, 200);
    expect(told).toEqual([
      ['a', false],
      ['a', true],
    ]);
  });

  test('each in turn', () => {
    expect(picked()).toEqual(new Set([a, b]));
  });

  test('none that refuses connections or is gone behind its proxy, until it answers a ping', async () => {
    silent.add(a);
    health.failed(a, error('ConnectionError'), performance.now());
    expect(picked()).toEqual(new Set([b]));
    silent.clear();
    await until([a, b]);
    silent.add(b);
    health.answered(b, 503);
    expect(picked()).toEqual(new Set([a]));
  });

  test('one that was too slow once and answers a ping as before; one that answers nothing no more', async () => {
    health.failed(a, error('RequestAbortedError'), performance.now());
    await wait(PING_AGAIN_MS);
    expect(picked()).toEqual(new Set([a, b]));
    silent.add(a);
    health.failed(a, error('RequestAbortedError'), performance.now());
    await until([b]);
  });

  test('all where none answers, and another than the one that was tried', () => {
    silent = new Set([a, b]);
    for (const node of [a, b]) health.failed(node, error('ConnectionError'), 0);
    expect(picked()).toEqual(new Set([a, b]));
    expect([health.pick([a]), health.pick([b])]).toEqual([b, a]);
  });

  test('what is silent at the start is found by asking', async () => {
    silent.add(b);
    await health.check();
    expect(picked()).toEqual(new Set([a]));
  });

  test('the only one, whatever happens', () => {
    nodes = [a];
    health.failed(a, error('ConnectionError'), 0);
    expect(health.pick()).toBe(a);
  });
});
