import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { buildBundle } from '../../src/build/bundle.ts';

const run = promisify(execFile);

describe('a bundled program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('runs where there is nothing but Node, with names that a stack trace can show', async () => {
    const entry = join(folder, 'entry.ts');
    const outfile = join(folder, 'out', 'entry.mjs');
    const client = resolve('src/runtime/client/access.ts');
    writeFileSync(
      entry,
      `import { readKubeconfig } from '${client}';
      async function readNothing(): Promise<void> { await readKubeconfig(['/nowhere']); }
      await readNothing().catch((error: Error) => console.log(error.stack));`,
    );
    await buildBundle(entry, outfile);
    expect(readFileSync(outfile, 'utf8')).not.toContain('@kubernetes/client-node"');
    const { stdout } = await run(process.execPath, [outfile], { cwd: folder });
    expect(stdout).toContain('/nowhere');
    expect(stdout).toContain('at async readNothing');
  });
});
