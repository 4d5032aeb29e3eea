// A process that makes a sandbox, starts a daemon in it, says which processes these are, and waits to be ended.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Sandbox, SYSTEM_PATH } from '../../../src/cluster/node/sandbox.ts';

const SECONDS = String(100_000 + process.pid);
const [, , cgroup, logFile] = process.argv as [string, string, string, string];

const sandbox = await Sandbox.create(cgroup, logFile);
// In the background and in a session of its own, as containers are.
const daemon = `setsid sleep ${SECONDS} >/dev/null 2>&1 & sleep 0.2`;
const [file, ...args] = sandbox.inside(['sh', '-c', daemon]);
execFileSync(file, args, { env: { PATH: SYSTEM_PATH } });
// Cgroups below the sandbox's own, as the kubelet makes them. One of them is still in use for a moment after the sandbox's end.
const own = ['', ...readdirSync('/sys/fs/cgroup')]
  .map((name) => join('/sys/fs/cgroup', name, cgroup))
  .filter(existsSync);
for (const folder of own) mkdirSync(join(folder, 'pods', 'pod'), { recursive: true });
const straggler = spawn('sleep', ['2'], { detached: true, stdio: 'ignore' });
writeFileSync(join(own.at(-1) as string, 'pods', 'pod', 'cgroup.procs'), String(straggler.pid));
process.stdout.write(JSON.stringify({ first: sandbox.pid, sleeper: pidOf(`sleep\0${SECONDS}\0`) }));
setInterval(() => {}, 1 << 30);

function pidOf(commandLine: string): number {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return Number(pids.find((pid) => commandLineOf(pid) === commandLine));
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // gone since the folder was read
  }
}
