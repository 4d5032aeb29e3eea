// A real browser for tests of the page. With CI=true a missing one is installed; on a
// person's machine the tests are skipped and say why.

import { accessSync, constants } from 'node:fs';
import { afterAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser, PROGRAM } from './chromium.ts';
import { ensureSystemPackages, type SystemPackages } from './system-packages.ts';

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
    starting ??= launchBrowser();
    return starting;
  };
}
