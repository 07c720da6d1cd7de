import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { keepHeapCompact } from './heap-upkeep';

const MINUTE = 60_000;
const MIB = 2 ** 20;
/** Two looks. */
const SOON = 10_000;
const ON = '--optimize-for-size';
const OFF = '--no-optimize-for-size';

/** Of V8, which hides it unless it is asked for. */
function collector(): (options?: { type: 'minor' }) => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}

describe('the heap', () => {
  const collect = collector();
  let flags: string[];
  let resident: number;
  let idle: boolean;
  let end: () => void;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    flags = [];
    [resident, idle] = [200 * MIB, true];
    end = keepHeapCompact({ setFlag: (flag) => flags.push(flag), memory: () => resident, isIdle: () => idle });
  });
  afterEach(() => {
    end();
    jest.useRealTimers();
  });

  /** Waits until as many flags were set, or long enough to see that no more are. */
  const told = async (count: number): Promise<string[]> => {
    for (let tries = 0; flags.length < count && tries < 50; tries++) await sleep(10);
    await sleep(20);
    return flags;
  };

  test('is compacted once a minute, by the next collection of all of it', async () => {
    collect();
    expect(await told(0)).toEqual([]);
    for (let minute = 1; minute <= 2; minute++) {
      jest.advanceTimersByTime(MINUTE);
      collect({ type: 'minor' });
      expect((await told(2 * minute)).at(-1)).toBe(ON);
      collect();
      collect();
      expect(await told(2 * minute)).toEqual(Array.from({ length: minute }, () => [ON, OFF]).flat());
    }
  });

  test('is no longer to be compacted where half a minute passes without one', () => {
    jest.advanceTimersByTime(MINUTE);
    expect(flags).toEqual([ON]);
    jest.advanceTimersByTime(MINUTE / 2);
    expect(flags).toEqual([ON, OFF]);
    jest.advanceTimersByTime(MINUTE / 2);
    expect(flags).toEqual([ON, OFF, ON]);
  });

  test('is compacted sooner where memory has grown, and the thread has time', () => {
    jest.advanceTimersByTime(SOON);
    resident += 20 * MIB;
    jest.advanceTimersByTime(SOON);
    resident += 20 * MIB;
    idle = false;
    jest.advanceTimersByTime(SOON);
    expect(flags).toEqual([]);
    idle = true;
    jest.advanceTimersByTime(SOON);
    expect(flags).toEqual([ON]);
  });

  test('is not compacted again and again where that frees nothing', () => {
    resident += 50 * MIB;
    jest.advanceTimersByTime(SOON);
    jest.advanceTimersByTime(MINUTE / 2);
    expect(flags).toEqual([ON, OFF]);
    jest.advanceTimersByTime(2 * SOON);
    expect(flags).toEqual([ON, OFF]);
    // What it gives back later counts.
    resident -= 50 * MIB;
    jest.advanceTimersByTime(SOON / 2);
    resident += 50 * MIB;
    jest.advanceTimersByTime(SOON / 2);
    expect(flags).toEqual([ON, OFF, ON]);
  });

  test('is left alone once it has ended', () => {
    jest.advanceTimersByTime(MINUTE);
    end();
    jest.advanceTimersByTime(2 * MINUTE);
    expect(flags).toEqual([ON, OFF]);
  });

  test('is compacted by a flag that V8 has', () => {
    expect(execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })).toContain(`${ON} `);
  });
});
