// Opens an address in the browser of the person, with the program that the system has for it. Without one, on a server for instance,
// nothing happens: the address stands in the terminal.

import { spawn } from 'node:child_process';

export function openBrowser(address: string, platform: NodeJS.Platform = process.platform): void {
  const [program, ...args] = openerOf(platform, address);
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

/** The command line; the address consists of characters that no shell acts upon. */
export function openerOf(platform: NodeJS.Platform, address: string): readonly [string, ...string[]] {
  switch (platform) {
    case 'darwin':
      return ['open', address];
    case 'win32':
      return ['cmd', '/c', 'start', '', address];
    default:
      return ['xdg-open', address];
  }
}
