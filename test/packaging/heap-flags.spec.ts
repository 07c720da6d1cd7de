import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const MIB = 2 ** 20;
const LIMIT_MIB = 8;
const heapFlags = join(__dirname, '../../dist/heap-flags.js');
const hasFlag = Number.parseInt(process.versions.v8, 10) < 14;

/** Keeps the last of the objects it makes, so that V8 marks the whole heap again and again. Prints the most bytes of young objects. */
const churn = `
  const { getHeapSpaceStatistics } = require('node:v8');
  require(${JSON.stringify(heapFlags)}).setHeapFlags();
  const kept = [];
  let most = 0;
  for (let round = 0; round < 600; round++) {
    kept.push(Array.from({ length: 20000 }, (_, number) => ({ number, text: 'n' + number })));
    if (kept.length > 5) kept.shift();
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    most = Math.max(most, young.space_used_size);
  }
  console.log(most);
`;

describe('the flags of the heap', () => {
  (hasFlag ? it : it.skip)('keep the young generation within its limit (from V8 14 on there is no flag for it)', () => {
    const args = [`--max-semi-space-size=${LIMIT_MIB}`, '--eval', churn];
    const most = Number(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 }));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(LIMIT_MIB * MIB);
  });
});
