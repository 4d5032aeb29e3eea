// Debian's Chromium, driven by playwright-core.

import { type Browser, chromium } from 'playwright-core';

export const PROGRAM = '/usr/bin/chromium';

/** It asks nothing of anybody but the page: no updates, no lookups of its maker's hosts. */
const FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  // Its sandbox does not work as root, as which containers of CI run.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** Starts one; whoever does closes it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: PROGRAM, args: FLAGS });
}
