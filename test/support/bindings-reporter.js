const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** Names a contract suite gives itself: `<port>: <binding>`, and where it is one of several its part: `, of events`. */
const CONTRACT = /^([A-Z]\w+): (\w+)(?:, .+)?$/;
const README = join(__dirname, '..', '..', 'README.md');
const MARKS = ['<!-- tested: npm run tested -->', '<!-- /tested -->'];
const ORDER = ['embedded', 'elasticsearch', 'opensearch', 'redis', 'bullmq'];
const TITLES = {
  embedded: 'embedded',
  elasticsearch: 'Elasticsearch',
  opensearch: 'OpenSearch',
  redis: 'Redis',
  bullmq: 'BullMQ',
};

/** Port -> binding -> tests of its contract that passed and failed. */
function countsOf(results) {
  const counts = new Map();
  for (const { ancestorTitles, status } of results.testResults.flatMap((suite) => suite.testResults)) {
    const named = ancestorTitles.map((title) => CONTRACT.exec(title)).find(Boolean);
    if (!named || (status !== 'passed' && status !== 'failed')) continue;
    const [, port, name] = named;
    const binding = name.toLowerCase();
    const bindings = counts.get(port) ?? new Map();
    counts.set(port, bindings);
    const count = bindings.get(binding) ?? { passed: 0, failed: 0 };
    bindings.set(binding, count);
    count[status] += 1;
  }
  return counts;
}

const cell = (count) => (count ? `${count.passed}${count.failed > 0 ? ` (${count.failed} failed)` : ''}` : '');

function tableOf(counts) {
  const rows = [
    ['', ...ORDER.map((binding) => TITLES[binding])],
    ...[...counts].sort().map(([port, bindings]) => [`\`${port}\``, ...ORDER.map((name) => cell(bindings.get(name)))]),
  ];
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...body] = rows.map(line);
  return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n');
}

/** Says which port was tested on what; with UPDATE_README=1 the README's table becomes this one. */
module.exports = class BindingsReporter {
  onRunComplete(_contexts, results) {
    const counts = countsOf(results);
    if (counts.size === 0) return;
    const table = tableOf(counts);
    process.stdout.write(`\nTests of each port's contract, by what it is bound to:\n${table}\n`);
    if (process.env['UPDATE_README'] !== '1') return;
    const readme = readFileSync(README, 'utf8');
    const [before, after] = [readme.indexOf(MARKS[0]), readme.indexOf(MARKS[1])];
    if (before < 0 || after < before) throw new Error(`README.md has no ${MARKS[0]} ... ${MARKS[1]}`);
    writeFileSync(README, `${readme.slice(0, before + MARKS[0].length)}\n\n${table}\n\n${readme.slice(after)}`);
  }
};
