import { replayTable } from './replay-commands';

test('a replay as a table: what was compared, by how much it differs, and what changes', () => {
  const text = replayTable({
    template: { name: 'bold', version: 3 },
    against: { name: 'default', version: 0 },
    searches: { used: 120, shoppers: 40, personal: 90, left: { bot: 2, no_outcome: 31 } },
    ndcg: { current: 0.5, candidate: 0.55, difference: 0.05, interval: { low: -0.01, high: 0.11 } },
    mrr: { current: 0.4, candidate: 0.4, difference: 0, interval: null },
    loss: -0.1,
    overlap: 0.8125,
    changed: 77,
    coverage: { current: 50, candidate: 45 },
    price: { current: 99.5, candidate: null },
    brands: [{ brand: 'Veloz', current: 0.25, candidate: 0.5 }],
    queries: [{ query: 'tênis', searches: 9, overlap: 0.5, difference: -0.02 }],
  });
  expect(text.split('\n')).toEqual([
    'bold (version 3) against default (version 0)',
    '120 searches of 40 shoppers, 90 personal; left out: bot 2, no_outcome 31',
    '',
    '                current  candidate  difference                 95%',
    'nDCG@10          0.5000     0.5500     +0.0500  -0.0100 to +0.1100',
    'MRR              0.4000     0.4000     +0.0000                   -',
    'products shown       50         45          -5',
    'mean price        99.50          -',
    '',
    'gains 10.0% of nDCG@10; 77 searches change, overlap of the first ten 0.813',
    '',
    'brand  current  candidate',
    'Veloz    25.0%      50.0%',
    '',
    'query  searches  overlap  nDCG@10',
    'tênis         9    0.500  -0.0200',
  ]);
});
