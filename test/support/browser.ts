// A real browser for tests of the page: Debian's Chromium, driven by playwright-core. With CI=true a missing one is installed; on a
// person's machine the tests are skipped and say why.

import { accessSync, constants } from 'node:fs';
import { afterAll } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { ensureSystemPackages, type SystemPackages } from './system-packages.ts';

const PROGRAM = '/usr/bin/chromium';

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

/** Whether there is a browser, or why not. A Chromium from elsewhere than Debian's package counts, too. */
export async function ensureBrowser(): Promise<SystemPackages> {
  try {
    accessSync(PROGRAM, constants.X_OK);
    return { ok: true };
  } catch {
    return ensureSystemPackages(['chromium']);
  }
}

/** A browser for the calling test file. */
export async function useBrowser(): Promise<() => Promise<Browser>> {
  let starting: Promise<Browser> | undefined;
  afterAll(async () => (await starting)?.close());
  return () => {
    starting ??= chromium.launch({ executablePath: PROGRAM, args: FLAGS });
    return starting;
  };
}
