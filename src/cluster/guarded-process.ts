// Runs one program so that it cannot outlive this process, whether this process ends normally, by Ctrl-C, by an error or by
// `kill -9`.
// A small shell runs between the two and reads from a pipe. The kernel closes the pipe when this process ends, and then the
// shell kills the program. Signals are sent as lines on the same pipe, so no stale pid is ever signalled.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

/** File descriptor 4 is our pipe, 3 reports the program's pid. A line is a signal to pass on; end of file means kill. */
const GUARD = `
exec 4<&0 0</dev/null
"$@" 3>&- 4<&- &
program=$!
echo "$program" >&3
exec 3>&-
( while read -r signal <&4; do kill -s "$signal" "$program"; done; kill -s KILL "$program" ) 2>/dev/null &
watcher=$!
exec 4<&-
wait "$program"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
`;

/** A program, and where its output goes. */
export interface ProgramSpec {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly logFile: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A program that ends with this process, however that ends. */
export class GuardedProcess {
  readonly name: string;
  readonly logFile: string;
  /** The program's own pid, not the guard's: what `ps` and /proc know its CPU time under. */
  readonly pid: number;
  /** Resolves with the exit code once the program is gone; never rejects. */
  readonly exited: Promise<number>;
  readonly #guard: ChildProcess;
  #running = true;

  private constructor(spec: ProgramSpec, guard: ChildProcess, pid: number) {
    this.name = spec.name;
    this.logFile = spec.logFile;
    this.pid = pid;
    this.#guard = guard;
    this.exited = new Promise((resolve) => {
      guard.once('exit', (code) => {
        this.#running = false;
        this.#killGroup();
        resolve(code ?? 128);
      });
    });
  }

  static async start(spec: ProgramSpec): Promise<GuardedProcess> {
    const log = openSync(spec.logFile, 'a');
    try {
      const guard = spawn('/bin/sh', ['-c', GUARD, `guard-${spec.name}`, spec.file, ...spec.args], {
        detached: true, // its own process group: a Ctrl-C in our terminal reaches us alone, and we stop it in order
        env: spec.env ?? process.env,
        stdio: ['pipe', log, log, 'pipe'],
      });
      // The program may be gone before a signal line is written to it: that is what we wanted anyway.
      (guard.stdin as Writable).on('error', () => {});
      const pid = await readPid(guard, spec);
      const started = new GuardedProcess(spec, guard, pid);
      guard.unref();
      (guard.stdin as Writable & { unref?(): void }).unref?.();
      return started;
    } finally {
      closeSync(log);
    }
  }

  get running(): boolean {
    return this.#running;
  }

  /** Sends a signal to the program; does nothing once it is gone. */
  signal(signal: 'TERM' | 'INT' | 'STOP' | 'CONT' | 'KILL'): void {
    if (this.#running) this.#guard.stdin?.write(`${signal}\n`);
  }

  /** Asks the program to end and waits; after `graceMs` it is killed. */
  async stop(graceMs: number): Promise<void> {
    this.signal('TERM');
    const timer = setTimeout(() => this.signal('KILL'), graceMs);
    await this.#whileWaited(this.exited);
    clearTimeout(timer);
  }

  async kill(): Promise<void> {
    this.signal('KILL');
    await this.#whileWaited(this.exited);
  }

  /** The end of the program's log, for error messages. */
  logTail(lines = 12): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  }

  /** Unreferenced children do not keep Node running; while a caller waits for one, it has to. */
  async #whileWaited<T>(promise: Promise<T>): Promise<T> {
    if (this.#running) this.#guard.ref();
    return promise;
  }

  /** If the guard itself was killed, the program is still in its process group. */
  #killGroup(): void {
    try {
      process.kill(-(this.#guard.pid as number), 'SIGKILL');
    } catch {
      // ESRCH: the group is empty, which is the normal case.
    }
  }
}

async function readPid(guard: ChildProcess, spec: ProgramSpec): Promise<number> {
  const pipe = guard.stdio[3] as Readable;
  return new Promise((resolve, reject) => {
    guard.once('error', (cause) => reject(new Error(`${spec.name}: cannot run /bin/sh`, { cause })));
    pipe.once('data', (line: Buffer) => resolve(Number(line.toString())));
    pipe.once('end', () => reject(new Error(`${spec.name}: ${spec.file} did not start, see ${spec.logFile}`)));
  });
}
