/** Prints the totals of the whole run as the last line, in one fixed form that scripts can read. */
module.exports = class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, numRuntimeErrorTestSuites } = results;
    const failed =
      numFailedTests + (numFailedTests === 0 ? Math.max(numFailedTestSuites, numRuntimeErrorTestSuites) : 0);
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    process.on('exit', () => process.stdout.write(`\n${numPassedTests} passed, ${failed} failed${skipped}\n`));
  }
};
