// Ends a run with the one line that CI reads: `N passed, N failed`.

export default class CiReporter {
  onRunComplete(_contexts, results) {
    // A test file that does not even load has no tests to count, but it has failed.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    // At the very end, so that Jest's own summary comes before it.
    process.once('exit', () => process.stdout.write(`\n${results.numPassedTests} passed, ${failed} failed\n`));
  }
}
