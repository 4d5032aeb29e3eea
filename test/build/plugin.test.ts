import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { buildPlugin } from '../../src/build/plugin.ts';

const run = promisify(execFile);

describe('the built plugin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-'));
  const main = join(folder, 'plugin', 'main.js');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('runs where there is nothing but Node, under each of its names', async () => {
    await buildPlugin(join(folder, 'plugin'));
    expect(readFileSync(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    const { stdout } = await run(process.execPath, [main, '--help'], { cwd: folder });
    expect(stdout).toContain('kubectl md COMMAND [flags]');
    const asked = join(folder, 'kubectl_complete-md');
    symlinkSync(main, asked);
    const completed = await run(process.execPath, [asked, 'rollout', 'und'], { cwd: folder });
    expect(completed.stdout).toMatch(/^undo\t.+\n:4\n$/);
  });

  it('has a small entry: a command loads the rest when it needs it', () => {
    expect(statSync(main).size).toBeLessThan(10_000);
  });
});
