// Bundles `kubectl md` for users of the npm package. The user waits for its start at every command, so what is rarely used is
// loaded on demand. The commands themselves are one file, because resolving and reading many small files takes longer.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundle } from './bundle.ts';
import { buildPage } from './page.ts';

/** Writes `main.js` and its chunks into `outdir`. */
export async function buildPlugin(outdir: string): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  await buildBundle('src/kubectl/main.ts', join(outdir, 'main.js'), { target: 'node22', page: await buildPage() });
  // Without it Node looks for a package.json in every folder above and, if there is none, parses each file twice to find out
  // whether it is an ES module.
  writeFileSync(join(outdir, 'package.json'), `${JSON.stringify({ type: 'module' })}\n`);
}
