import { tuningTable } from './tuning-table';

test('a tuning as a table: what was found, what it changes, and how it does where it was not looked for', () => {
  const score = (current: number, candidate: number) => ({
    current,
    candidate,
    difference: candidate - current,
    interval: { low: 0.01, high: 0.09 },
  });
  const part = { searches: 70, shoppers: 20, from: '2026-01-01T00:00:00.000Z', to: '2026-01-20T00:00:00.000Z' };
  const text = tuningTable({
    objective: 'ndcg',
    start: { name: 'default', version: 0 },
    template: { name: 'tuned', version: 2 },
    verdict: 'better',
    trials: { made: 600 },
    changes: [{ path: 'strength', from: 20, to: 90.5 }],
    train: { ...part, score: score(0.5, 0.6) },
    validation: { groups: 4, score: score(0.5, 0.575) },
    test: { ...part, searches: 30, shoppers: 11, from: '2026-01-20T00:00:00.000Z', score: score(0.5, 0.55) },
  });
  expect(text.split('\n')).toEqual([
    'From default (version 0), 600 templates tried: tuned (version 2), which does not serve',
    'better on searches that tuning never saw',
    '',
    'number    from    to',
    'strength    20  90.5',
    '',
    'nDCG@10                     current  candidate  difference                 95%',
    'learned from                 0.5000     0.6000     +0.1000  +0.0100 to +0.0900',
    'by 4 parts of the shoppers   0.5000     0.5750     +0.0750  +0.0100 to +0.0900',
    'never seen                   0.5000     0.5500     +0.0500  +0.0100 to +0.0900',
    '',
    '70 searches of 20 shoppers to learn from; 30 searches of 11 shoppers never seen, from 2026-01-20T00:00:00.000Z',
  ]);
});
