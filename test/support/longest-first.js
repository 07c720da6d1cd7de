const { relative, sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Where suites take long, the longest first; all others come after them. The size of a file, which Jest goes by, says nothing of it. */
const LONGEST = [
  'test/e2e/showcase/simulation',
  'test/replicas/changes',
  'test/contract/search-engine.elastic',
  'test/attack',
  'test/replicas/clicks',
  'test/faults/ends',
  'test/replicas/processes',
  'test/faults/store-indices',
  'test/faults/reindex',
  'test/durability',
  'test/e2e/demo',
  'test/browser',
  'test/e2e/showcase',
  'test/contract/archive.elastic',
  'test/contract/event-log.elastic',
  'test/quality',
  'test/e2e/access',
  'test/faults',
  'test/replicas',
  'test/fuzz',
  'test/archive',
  'test/e2e/privacy',
  'test/e2e/templates',
  'test/contract',
  'test/e2e',
  'test/storage',
  'test',
];

function rankOf({ path, context }) {
  const name = relative(context.config.rootDir, path).split(sep).join('/');
  const rank = LONGEST.findIndex((start) => name.startsWith(start));
  return rank < 0 ? LONGEST.length : rank;
}

/** Long suites begin first, so that no worker is left with one while the others have nothing to do. Times that are known decide. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.every(({ duration }) => duration !== undefined)) return sorted;
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
};
