// The npm package as its users meet it: packed, installed outside of this repository, imported by a cdk8s app of every
// kind there is, and what that app synthesizes applied to a cluster where the operator runs.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useStage } from './e2e/stage.ts';
import { compile, createApp, pack, synth } from './package/consumer.ts';
import { eventually } from './support/eventually.ts';

const stage = await useStage({ name: 'package' });
const source = readFileSync('test/package/app.ts.txt', 'utf8');

const MADE = [
  'collector.collector.ip.my.domain/collector',
  'horizontalpodautoscaler.autoscaling/api',
  'imoocpod.batch.tutorial.kubebuilder.io/sleepers',
  'modelbox.model.github.com/box',
  'mydaemonset.apps.zhongmingmao.io/agent',
  'mydeployment.kubebuilder.zq.com/api',
  'mydeployment.kubebuilder.zq.com/old',
  'mydeployment.kubebuilder.zq.com/raw',
  'mydeployment.kubebuilder.zq.com/web',
  'service/web',
];

describe('the npm package', () => {
  const root = mkdtempSync(join(tmpdir(), 'package-'));
  let tarball: string;

  beforeAll(async () => {
    tarball = await pack(join(root, 'packed'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it.each([
    { app: 'an ES module', type: 'module', module: 'nodenext' },
    { app: 'CommonJS', type: 'commonjs', module: 'nodenext' },
    { app: 'CommonJS that is bundled', type: 'commonjs', module: 'commonjs' },
  ] as const)('serves a cdk8s app that is $app, types included', async ({ app, type, module }) => {
    const folder = join(root, app.replaceAll(' ', '-'));
    await createApp(folder, type, tarball, source);
    expect(await compile(folder, module)).toBe('');
    await synth(folder);

    const namespace = await stage.namespace();
    const dist = join(folder, 'dist');
    const kubectl = (...args: readonly string[]) => stage.kubectl(['-n', namespace, ...args]);
    expect(await kubectl('apply', '--validate=strict', '-f', dist)).toMatchObject({ code: 0, stderr: '' });
    const listed = await kubectl('get', '-f', dist, '-o', 'name');
    expect(listed.stdout.trim().split('\n').sort()).toEqual(MADE);
    const ready = await kubectl('wait', 'md', '--all', '--for=condition=Available', '--timeout=60s');
    expect(ready).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(folder, 'operator', 'operator.yaml'), 'utf8')).toContain('image: operator:1');
  });

  it('tells an app about a mistyped prop when it compiles', async () => {
    const folder = join(root, 'mistyped');
    await createApp(folder, 'commonjs', tarball, source.replace('safeToEvict', 'saveToEvict'));
    expect(await compile(folder, 'nodenext')).toContain("'saveToEvict' does not exist");
  });

  it('serves an operator of somebody else, types included', async () => {
    const folder = join(root, 'operator');
    const example = readFileSync('src/runtime/example/config-copy.ts', 'utf8');
    await createApp(folder, 'module', tarball, example.replace("'../index.ts'", "'mydeployment/runtime'"));
    expect(await compile(folder, 'nodenext')).toBe('');

    const [from, to] = [await stage.namespace(), await stage.namespace()];
    const args = ['main.js', '--health-probe-bind-address=0', '--kubeconfig', stage.kubeconfig];
    const operator = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
    try {
      await stage.kubectl(['-n', from, 'create', 'configmap', 'shared', '--from-literal=a=b']);
      await stage.kubectl(['-n', from, 'label', 'configmap', 'shared', 'config-copy.example/everywhere=true']);
      const copied = async () => (await stage.kubectl(['-n', to, 'get', 'configmap', 'shared'])).code;
      await eventually(async () => expect(await copied()).toBe(0));
    } finally {
      operator.kill();
      await once(operator, 'exit');
    }
  });
});
