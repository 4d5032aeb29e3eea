// A process that makes a sandbox, starts a daemon in it, says which processes these are, and waits to be ended.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Sandbox, SYSTEM_PATH } from '../../../src/cluster/node/sandbox.ts';

const SECONDS = String(100_000 + process.pid);
const [, , cgroup, logFile] = process.argv as [string, string, string, string];

const sandbox = await Sandbox.create(cgroup, logFile);
// In the background and in a session of its own, as containers are.
const daemon = `setsid sleep ${SECONDS} >/dev/null 2>&1 & sleep 0.2`;
const [file, ...args] = sandbox.inside(['sh', '-c', daemon]);
execFileSync(file, args, { env: { PATH: SYSTEM_PATH } });
process.stdout.write(JSON.stringify({ first: sandbox.pid, sleeper: pidOf(`sleep\0${SECONDS}\0`) }));
setInterval(() => {}, 1 << 30);

function pidOf(commandLine: string): number {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return Number(pids.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8') === commandLine));
}
