// An operator of another project on a real node, shipped with the commands of its Makefile. A container engine would need a base
// image from a registry: instead, the image is put together from what the Dockerfile says, on this project's own layer of Node.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { create } from '../../src/create/create.ts';
import { partSources } from '../../src/image/assemble.ts';
import { nodeLayer } from '../../src/image/node-layer.ts';
import { pins } from '../../src/image/pins.ts';
import { runSettings } from '../../src/image/run-settings.ts';
import { architectureOf, imageArchive, imageOf } from '../../src/oci/image.ts';
import { file, treeOf } from '../../src/oci/tree.ts';
import { pack, unpack } from '../package/consumer.ts';
import { eventually } from '../support/eventually.ts';
import { make } from './support/operator.ts';
import { describeOnRealNode, type RealCluster } from './support/real-cluster.ts';

const IMAGE = 'registry.example.com/website:1';
const root = mkdtempSync(join(tmpdir(), 'stranger-'));
const project = join(root, 'website');
afterAll(() => rmSync(root, { recursive: true }));

/** Creates a project with a webhook and a second version, and deploys it. */
async function ship(real: RealCluster): Promise<void> {
  create('operator website --group example.com --kind Website'.split(' '), root);
  await install();
  await make(real, ['generate'], project);
  create('webhook --kind Website'.split(' '), project);
  create('version --kind Website --version v1beta1'.split(' '), project);
  // `true` stands in for the container engine.
  await make(real, ['image', `IMG=${IMAGE}`, 'ENGINE=true'], project);
  await real.cluster.realNode.loadImage(await archive());
  await make(real, ['deploy', `IMG=${IMAGE}`], project);
  const deployment = 'deployment/website-controller-manager';
  await real.kubectl(['-n', 'website-system', 'rollout', 'status', deployment, '--timeout=90s']);
}

/** What `npm install` does, without a registry. */
async function install(): Promise<void> {
  await unpack(project, await pack(join(root, 'packed')), 'everything');
  const programs = join(project, 'node_modules/.bin');
  mkdirSync(programs);
  for (const name of ['node', 'esbuild']) symlinkSync(resolve('node_modules/.bin', name), join(programs, name));
  const cli = join(project, 'node_modules/mydeployment/dist/esm/cli.js');
  chmodSync(cli, 0o755);
  symlinkSync(cli, join(programs, 'mydeployment'));
}

/** The image that the Dockerfile describes. */
async function archive(): Promise<string> {
  const dockerfile = readFileSync(join(project, 'Dockerfile'), 'utf8');
  const [, from = '', to = ''] = /^COPY (\S+) \/(\S+)$/m.exec(dockerfile) ?? [];
  const architecture = architectureOf(process.arch);
  const layers = [
    { comment: 'Node', entries: await nodeLayer(pins, architecture, partSources(process.env)) },
    { comment: 'the operator', entries: treeOf([file(to, readFileSync(join(project, from)))]) },
  ];
  const built = { architecture, created: '1970-01-01T00:00:00Z' };
  const path = join(root, 'image.tar');
  writeFileSync(path, imageArchive(await imageOf(layers, runSettings(dockerfile), built), IMAGE));
  return path;
}

await describeOnRealNode('an operator of another project', ship, (real) => {
  it('converts, judges and keeps the sample of its first version, as pods', async () => {
    await real.kubectl(['apply', '-f', join(project, 'samples/website.yaml')]);
    await real.kubectl(['wait', '--for=condition=Ready', 'website/website-sample', '--timeout=60s']);
    const version = await real.kubectl(['get', 'website', 'website-sample', '-o', 'jsonpath={.apiVersion}']);
    expect(version).toBe('example.com/v1beta1');
    const ask = "printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc 127.0.0.1 8080";
    await eventually(async () =>
      expect(await real.kubectl(['exec', 'deployment/website-sample', '--', 'sh', '-c', ask])).toMatch(/\nHello$/),
    );
    const wrong = {
      apiVersion: 'example.com/v1alpha1',
      kind: 'Website',
      metadata: { name: 'wrong' },
      spec: { text: 'a\0b' },
    };
    await expect(real.apply(wrong)).rejects.toThrow('spec.text: Invalid value');
  });
});
