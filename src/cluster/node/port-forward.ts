// Makes a port of the sandbox's loopback reachable on the machine's: a process in the sandbox's network namespace accepts
// connections on a socket that this process opened in the machine's, and passes them on. No interface connects the two.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Sandbox } from './sandbox.ts';
import { SYSTEM_PATH } from './sandbox.ts';

export class PortForward {
  readonly #process: ChildProcess;

  private constructor(forwarder: ChildProcess) {
    this.#process = forwarder;
  }

  /** Listens on 127.0.0.1 and forwards to the same port in the sandbox. */
  static async start(sandbox: Sandbox, port: number): Promise<PortForward> {
    const listener = createServer();
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
    const program = new URL('port-forwarder.ts', import.meta.url).pathname;
    const [file, ...args] = sandbox.inNetwork([process.execPath, program, String(port)]);
    const forwarder = spawn(file, args, { env: { PATH: SYSTEM_PATH }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await new Promise<void>((resolve, reject) => {
      forwarder.once('error', reject);
      forwarder.once('exit', (code) => reject(new Error(`the port forwarder ended with ${code}`)));
      forwarder.send('listener', listener, (error) => (error ? reject(error) : undefined));
      forwarder.once('message', () => resolve());
    });
    listener.close();
    forwarder.unref();
    forwarder.channel?.unref();
    return new PortForward(forwarder);
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.ref();
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
  }
}
