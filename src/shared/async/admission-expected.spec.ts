import { setTimeout as sleep } from 'node:timers/promises';
import { admissionUnder } from '../../../test/support/admission';

/** Work has taken some 30 ms on average. */
async function afterSlowWork(): Promise<ReturnType<typeof admissionUnder>> {
  const under = admissionUnder();
  const first = under.ask('a');
  await sleep(160);
  await under.end();
  await first;
  return under;
}

describe('admission of those who are expected', () => {
  it('judges whoever comes by those who were let in before and have not asked yet, and these only once', async () => {
    const { admission, ask, end, refused } = await afterSlowWork();
    // Of four slots a caller has two.
    const names = ['a', 'a'] as const;
    const letIn: (() => void)[] = [];
    while (letIn.length < 40 && !admission.refuses(names)) letIn.push(admission.expect(names));
    expect(letIn.length).toBeGreaterThan(4);
    expect(letIn.length).toBeLessThan(30);
    expect(admission.refuses(['b', 'b'])).toBe(false);
    for (const isOver of letIn) isOver();
    expect(admission.refuses(names)).toBe(false);
    const asked = letIn.map(() => ask('a', { expected: true }));
    expect([admission.underWay + admission.waiting, refused]).toEqual([letIn.length, []]);
    expect(admission.refuses(names)).toBe(true);
    for (let left = letIn.length; left > 0; left--) await end();
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['a']));
  });

  it('lets no more of many callers in than one after the other could be served in time', async () => {
    const { admission, ask, end, refused } = await afterSlowWork();
    // Callers with few in line wait for up to 400 ms.
    const letIn: (() => void)[] = [];
    for (let caller = 0; caller < 200; caller += 1) {
      if (!admission.refuses(['a', `shopper ${caller}`])) letIn.push(admission.expect(['a', `shopper ${caller}`]));
    }
    expect(letIn.length).toBeGreaterThan(10);
    expect(letIn.length).toBeLessThan(60);
    // Where all were let in, as those of many stores are, nobody stands in line who would be gone before their turn.
    for (const isOver of letIn) isOver();
    const until = performance.now() + 400;
    const asked = Array.from({ length: 200 }, (_, caller) =>
      ask('a', { names: ['a', `shopper ${caller}`], expected: true, until }),
    );
    expect(refused.length).toBeGreaterThan(140);
    expect(new Set(refused)).toEqual(new Set(['full']));
    for (let left = 200 - refused.length; left > 0; left--) await end();
    expect((await Promise.all(asked)).filter((outcome) => outcome === 'a')).toHaveLength(200 - refused.length);
  });

  it('counts nobody who is to come to a store against the shoppers of another', async () => {
    const { admission, ask, end } = await afterSlowWork();
    for (let store = 0; store < 500; store += 1) admission.expect([`claimed ${store}`, 'one address']);
    expect(admission.refuses(['b', 'shopper'])).toBe(false);
    expect(await Promise.all([ask('b'), end()])).toEqual(['b', undefined]);
  });
});
