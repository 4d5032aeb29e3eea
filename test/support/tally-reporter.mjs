// Leaves what a run of Jest came to where `test/main.ts` reads it.

import { writeFileSync } from 'node:fs';

export default class TallyReporter {
  onRunComplete(_contexts, results) {
    const file = process.env.TEST_TALLY;
    if (file === undefined) return;
    const failed = results.testResults.filter((of) => of.numFailingTests > 0 || of.testExecError != null);
    const tally = {
      passed: results.numPassedTests,
      // A test file that does not even load has no tests to count, but it has failed.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      failedFiles: failed.map((of) => of.testFilePath),
    };
    writeFileSync(file, JSON.stringify(tally));
  }
}
