// Starts an image's command on its unpacked files, as its user.

import { execFile } from 'node:child_process';
import type { BuiltImage } from './built-image.ts';

/** What the command prints until it ends. Only root may change the root folder. */
export function startIn(root: string, { config }: BuiltImage): Promise<string> {
  const { User, Env, Entrypoint } = config.config as { User: string; Env: string[]; Entrypoint: string[] };
  const env = Object.fromEntries(Env.map((pair) => pair.split('=', 2) as [string, string]));
  return new Promise((resolve) => {
    execFile('/usr/sbin/chroot', [`--userspec=${User}`, root, ...Entrypoint], { env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
