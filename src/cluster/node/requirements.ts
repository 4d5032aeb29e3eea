// What a machine must have for a real node: Linux, root, and the programs of some system packages.
// Programs count, not packages: a distribution may have them under another name.

import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { SYSTEM_PATH } from './sandbox.ts';

/** Debian's packages, each with the programs that the node needs of it. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  containerd: ['containerd', 'containerd-shim-runc-v2', 'ctr'],
  runc: ['runc'],
  nftables: ['nft'],
  iproute2: ['ip'],
  'util-linux': ['unshare', 'nsenter', 'setpriv', 'mount'],
  'busybox-static': ['busybox'],
};
const CNI_PLUGINS = ['ptp', 'host-local', 'loopback'];
const CNI_PACKAGE = 'containernetworking-plugins';
/** Debian's folder, and the one of containerd's own releases. */
const CNI_FOLDERS = ['/usr/lib/cni', '/opt/cni/bin'];

/** The Debian packages that a real node needs. */
export const NODE_PACKAGES: readonly string[] = [...Object.keys(PROGRAMS), CNI_PACKAGE];

export type NodeSupport = { readonly ok: true } | { readonly ok: false; readonly because: string };

/** Whether a real node can run here, or why not. */
export function nodeSupport(): NodeSupport {
  if (process.platform !== 'linux') return { ok: false, because: 'a real node needs Linux' };
  if (process.getuid?.() !== 0) return { ok: false, because: 'a real node needs root' };
  const lacking = Object.keys(PROGRAMS).filter((name) => !(PROGRAMS[name] ?? []).every(isInstalled));
  if (cniFolder() === undefined) lacking.push(CNI_PACKAGE);
  if (lacking.length === 0) return { ok: true };
  return { ok: false, because: `a real node needs ${lacking.join(', ')} (apt-get install ${lacking.join(' ')})` };
}

/** Where the CNI plugins are. */
export function cniFolder(): string | undefined {
  return CNI_FOLDERS.find((folder) => CNI_PLUGINS.every((plugin) => existsSync(join(folder, plugin))));
}

/** The absolute path of a program of a system package. */
export function systemProgram(name: string): string | undefined {
  return SYSTEM_PATH.split(':')
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

function isInstalled(program: string): boolean {
  return systemProgram(program) !== undefined;
}
