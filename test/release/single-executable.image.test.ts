import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { partSources } from '../../src/image/assemble.ts';
import { nodeLayer } from '../../src/image/node-layer.ts';
import { type NodePin, pins } from '../../src/image/pins.ts';
import { type Architecture, architectureOf } from '../../src/oci/image.ts';
import { writeTar } from '../../src/oci/tar.ts';
import { writeFolder } from '../../src/oci/tree.ts';
import { pluginFiles, pluginPayload } from '../../src/release/single-executable.ts';
import { describeWith, ensureSystemPackages } from '../support/system-packages.ts';

const run = promisify(execFile);
const PATIENCE_MS = 180_000;
const HERE = architectureOf(process.arch);
const OTHER = HERE === 'amd64' ? 'arm64' : 'amd64';
const EMULATOR = { amd64: 'qemu-x86_64', arm64: 'qemu-aarch64' }[OTHER];

const folder = await mkdtemp(join(tmpdir(), 'plugin-'));
const sources = partSources(process.env);
afterAll(() => rm(folder, { recursive: true }));

const pinFor = (architecture: Architecture): NodePin => {
  const pin = pins.node.find((each) => each.architecture === architecture);
  if (pin === undefined) throw new Error(`no Node is pinned for ${architecture}`);
  return pin;
};

describe('kubectl md as one program', () => {
  it(
    'is the same bytes each time, needs no Node, and names what it lacks',
    async () => {
      const payload = await pluginPayload();
      expect(payload.blob.includes('.share-starting')).toBe(true); // the page of the dashboard
      const files = await pluginFiles(payload, pinFor(HERE), sources);
      const again = await pluginFiles(await pluginPayload(), pinFor(HERE), sources);
      expect(writeTar(again).equals(writeTar(files))).toBe(true);

      await writeFolder(join(folder, HERE), files);
      const program = join(folder, HERE, 'kubectl-md');
      const env = { PATH: '', HOME: folder };
      expect((await run(program, ['--help'], { env })).stdout).toContain('kubectl md COMMAND [flags]');
      await expect(run(program, ['get'], { env })).rejects.toMatchObject({
        code: 1,
        stderr: `error: no kubeconfig at ${folder}/.kube/config: set KUBECONFIG or pass --kubeconfig\n`,
      });
    },
    PATIENCE_MS,
  );
});

describeWith(await ensureSystemPackages(['qemu-user']), 'kubectl md as one program on another architecture', () => {
  it(
    'starts',
    async () => {
      await writeFolder(join(folder, OTHER), await pluginFiles(await pluginPayload(), pinFor(OTHER), sources));
      const libraries = join(folder, 'libraries');
      await writeFolder(libraries, await nodeLayer(pins, OTHER, sources));
      const { stdout } = await run(EMULATOR, ['-L', libraries, join(folder, OTHER, 'kubectl-md'), '--help']);
      expect(stdout).toContain('kubectl md COMMAND [flags]');
    },
    PATIENCE_MS,
  );
});
