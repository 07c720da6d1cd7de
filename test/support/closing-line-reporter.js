const MOST_REASONS = 10;

/** Titles of skipped tests say why; the most frequent first. */
function reasonsOf(results) {
  const counts = new Map();
  for (const { title, status } of results.testResults.flatMap((suite) => suite.testResults)) {
    if (status === 'pending') counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).slice(0, MOST_REASONS);
}

/** Says why tests were skipped, and prints the totals of the whole run as the last line, in one fixed form that scripts can read. */
module.exports = class ClosingLineReporter {
  constructor({ testNamePattern }) {
    this.filtered = Boolean(testNamePattern);
  }

  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, numRuntimeErrorTestSuites } = results;
    const failed =
      numFailedTests + (numFailedTests === 0 ? Math.max(numFailedTestSuites, numRuntimeErrorTestSuites) : 0);
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    // With a filter by name, everything else is skipped, too.
    const reasons = this.filtered ? [] : reasonsOf(results);
    if (reasons.length > 0) process.stdout.write('\nSkipped:\n');
    for (const [reason, count] of reasons) process.stdout.write(`- ${count} × ${reason}\n`);
    process.on('exit', () => process.stdout.write(`\n${numPassedTests} passed, ${failed} failed${skipped}\n`));
  }
};
