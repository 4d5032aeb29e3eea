// Bundles `kubectl md` for people who install the package. Whoever types a command waits for its start, so what few need is
// loaded on demand. Our own commands are one file: finding and reading many small ones takes longer than passing over what
// is not called.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundle } from './bundle.ts';

/** Writes `main.js` and its chunks into `outdir`. */
export async function buildPlugin(outdir: string): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  await buildBundle('src/kubectl/main.ts', join(outdir, 'main.js'), { target: 'node22' });
  // Otherwise Node looks for one in every folder above, and finding none, reads each file twice to tell what it is.
  writeFileSync(join(outdir, 'package.json'), `${JSON.stringify({ type: 'module' })}\n`);
}
