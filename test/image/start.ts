// Starts an image's command on its unpacked files, as its user: in a changed root, or in a container.

import { execFile } from 'node:child_process';
import type { BuiltImage } from './built-image.ts';

interface Command {
  readonly user: string;
  readonly env: Record<string, string>;
  readonly command: readonly string[];
}

/** Who runs what, with which environment. */
export function commandOf({ config }: BuiltImage): Command {
  const { User, Env, Entrypoint } = config.config as { User: string; Env: string[]; Entrypoint: string[] };
  return { user: User, env: Object.fromEntries(Env.map((pair) => pair.split('=', 2))), command: Entrypoint };
}

/** What a command, the image's own unless another is given, prints until it ends. Only root may change the root folder. */
export function startIn(root: string, image: BuiltImage, other?: readonly string[]): Promise<string> {
  const { user, env, command } = commandOf(image);
  const args = [`--userspec=${user}`, root, ...(other ?? command)];
  return new Promise((resolve) => {
    execFile('/usr/sbin/chroot', args, { env }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}

/** The configuration of a container as a kubelet with our manifests asks for: no rights, a root that cannot be written. */
export function containerOf(root: string, image: BuiltImage): object {
  const { user, env, command } = commandOf(image);
  const [uid, gid] = user.split(':').map(Number);
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid, gid },
      args: command,
      env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      cwd: '/',
      capabilities: { bounding: [], effective: [], permitted: [] },
      noNewPrivileges: true,
    },
    root: { path: root, readonly: true },
    mounts: [{ destination: '/proc', type: 'proc', source: 'proc' }],
    linux: { namespaces: ['pid', 'network', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
  };
}
