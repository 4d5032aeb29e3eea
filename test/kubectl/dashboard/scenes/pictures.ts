// The pictures of the documentation are taken by the tests when they are asked for: `DASHBOARD_PICTURES=docs/dashboard`.

import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';

const { DASHBOARD_PICTURES: FOLDER } = process.env;

/** Takes a picture of the page as it is. */
export async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  if (!FOLDER) return;
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage });
}
