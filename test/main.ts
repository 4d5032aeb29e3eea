// `npm test`: runs Jest, then once more, one at a time, the few files that failed beside all the others. Hundreds of tests
// share two cores with real control planes, and a machine that is slow for a minute must not turn a whole run red; what
// failed and then passed is named all the same. Ends with the line that CI reads: `N passed, N failed`.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** More failed files than that are no accident. */
const FEW = 5;

interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly failedFiles: readonly string[];
}

const folder = mkdtempSync(join(tmpdir(), 'mydeployment-tally-'));
try {
  const first = await jest(process.argv.slice(2));
  const again = first.failedFiles.length > 0 && first.failedFiles.length <= FEW ? await runAgain(first) : undefined;
  const failed = again?.failed ?? first.failed;
  const passed = first.passed + first.failed - failed;
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runAgain({ failedFiles }: Tally): Promise<Tally> {
  const names = failedFiles.map((file) => relative(process.cwd(), file));
  console.log(`\nFailed beside the others, now once more, one at a time: ${names.join(', ')}`);
  const again = await jest(['--maxWorkers=1', '--runTestsByPath', ...failedFiles]);
  const still = new Set(again.failedFiles);
  const flaky = names.filter((_name, index) => !still.has(failedFiles[index] as string));
  if (flaky.length > 0) console.log(`\nFlaky: ${flaky.join(', ')}`);
  return again;
}

async function jest(args: readonly string[]): Promise<Tally> {
  const file = join(folder, 'tally.json');
  rmSync(file, { force: true });
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, 'node_modules/jest/bin/jest.js', ...args], {
    stdio: 'inherit',
    env: { ...process.env, TEST_TALLY: file },
  });
  // Ctrl-C reaches Jest, too, which stops its clusters before it ends; who ends this process alone means both.
  const wait = () => {};
  const pass = () => child.kill('SIGTERM');
  process.on('SIGINT', wait).on('SIGTERM', pass);
  const code = await new Promise<number>((resolve) => child.once('exit', (status) => resolve(status ?? 1)));
  process.off('SIGINT', wait).off('SIGTERM', pass);
  // Without a tally Jest ended before any test did, or was asked for something else, such as its help.
  const tally: Tally = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { passed: 0, failed: 0, failedFiles: [] };
  return tally.failed === 0 && code !== 0 ? { ...tally, failed: 1 } : tally;
}
