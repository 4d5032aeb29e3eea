// Namespaces for a real node: network, mounts, processes and IPC of its own, and a cgroup. Everything inside ends with this
// process, even after `kill -9`: a shell holds one end of a pipe, and when this process's end closes, the shell kills the first
// process of the PID namespace. The kernel then ends all other processes inside and removes mounts, interfaces and packet filter
// rules. The shell removes the cgroups, which the kernel keeps.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { SERVICE_RANGE } from '../components.ts';
import { NODE_ADDRESS } from './network.ts';

/** Where programs of system packages are; the components have no environment of their own. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Runs outside of the namespaces. $1 is the cgroup's name, $2 the script of the first process inside. Descriptor 4 is
 * our pipe, 3 reports the pid.
 */
const KEEPER = `
exec 4<&0 </dev/null
hierarchies=/sys/fs/cgroup
[ -e /sys/fs/cgroup/cgroup.controllers ] || hierarchies=$(dirname /sys/fs/cgroup/*/cgroup.procs)
for each in $hierarchies; do mkdir "$each/$1"; done
unshare --mount --net --pid --ipc --fork --kill-child /bin/sh -ec "$2" 4<&- &
first=$!
exec 3>&-
cat <&4 >/dev/null
kill -s KILL "$first"
wait "$first"
remove() {
  left=0
  for each in $hierarchies; do
    find "$each/$1" -depth -type d -exec rmdir {} + 2>/dev/null
    [ ! -e "$each/$1" ] || left=1
  done
}
tries=0
while remove "$1"; [ "$left" = 1 ] && [ "$tries" -lt 100 ]; do
  tries=$((tries + 1))
  sleep 0.05
done
`;

/**
 * The first process inside. It tells its pid as the machine sees it, which only the machine's /proc knows. Writes below
 * /run, /var/log and /var/lib stay in memory. The kubelet sets some sysctls of the whole machine when they differ from
 * what it wants; files with those values hide them from it.
 */
const INIT = `
read -r pid rest </proc/self/stat
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/log
mkdir -p /run/var-lib/upper /run/var-lib/work /run/sysctl
mount -t overlay overlay -o lowerdir=/var/lib,upperdir=/run/var-lib/upper,workdir=/run/var-lib/work /var/lib
hide() { echo "$2" >"/run/sysctl/\${1##*/}"; [ ! -e "$1" ] || mount --bind "/run/sysctl/\${1##*/}" "$1"; }
hide /proc/sys/vm/overcommit_memory 1
hide /proc/sys/vm/panic_on_oom 0
hide /proc/sys/kernel/panic 10
hide /proc/sys/kernel/panic_on_oops 1
hide /proc/sys/kernel/keys/root_maxkeys 1000000
hide /proc/sys/kernel/keys/root_maxbytes 25000000
ip link set lo up
ip address add ${NODE_ADDRESS}/32 dev lo
ip route add ${SERVICE_RANGE} dev lo src ${NODE_ADDRESS}
echo 1 >/proc/sys/net/ipv4/ip_forward
echo "$pid" >&3
exec 3>&-
while sleep 1000; do :; done
`;

/** A command line: the program, then its arguments. */
export type Command = readonly [string, ...string[]];

export class Sandbox {
  /** The cgroup below which everything of the kubelet's is. */
  readonly cgroup: string;
  readonly #keeper: ChildProcess;
  /** The first process inside, as the machine counts. */
  readonly pid: number;
  readonly #gone: Promise<void>;

  private constructor(cgroup: string, keeper: ChildProcess, pid: number) {
    this.cgroup = cgroup;
    this.#keeper = keeper;
    this.pid = pid;
    this.#gone = new Promise((resolve) => keeper.once('exit', () => resolve()));
  }

  /** Makes the namespaces. The name must be free on this machine. */
  static async create(name: string, logFile: string): Promise<Sandbox> {
    const log = openSync(logFile, 'a');
    try {
      const keeper = spawn('/bin/sh', ['-c', KEEPER, 'sandbox', name, INIT], {
        detached: true, // a Ctrl-C in our terminal reaches us alone
        env: { PATH: SYSTEM_PATH },
        stdio: ['pipe', log, log, 'pipe'],
      });
      const pid = await firstPid(keeper, logFile);
      keeper.unref();
      (keeper.stdin as Writable & { unref?(): void }).unref?.();
      return new Sandbox(name, keeper, pid);
    } finally {
      closeSync(log);
    }
  }

  /** The same command in the network namespace only: a process of this machine that sees the node's network. */
  inNetwork([file, ...args]: Command): Command {
    return ['nsenter', `--net=/proc/${this.pid}/ns/net`, '--', file, ...args];
  }

  /** The same command inside of everything. It ends when the process that started it ends. */
  inside([file, ...args]: Command): Command {
    const enter = ['--target', String(this.pid), '--mount', '--net', '--pid', '--ipc', '--'];
    return ['nsenter', ...enter, 'setpriv', '--pdeathsig', 'KILL', '--', file, ...args];
  }

  /** Ends everything inside, and resolves when nothing of it is left. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#keeper.exitCode === null) this.#keeper.ref();
    this.#keeper.stdin?.end();
    await this.#gone;
  }
}

async function firstPid(keeper: ChildProcess, logFile: string): Promise<number> {
  const pipe = keeper.stdio[3] as Readable;
  return new Promise((resolve, reject) => {
    keeper.once('error', (cause) => reject(new Error('cannot run /bin/sh', { cause })));
    pipe.once('data', (line: Buffer) => resolve(Number(line.toString())));
    pipe.once('end', () => {
      keeper.stdin?.end();
      reject(new Error(`the namespaces of a real node cannot be made, see ${logFile}`));
    });
  });
}
