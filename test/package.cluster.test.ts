import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compile, createApp, pack, synth } from './package/consumer.ts';
import { useSharedCluster } from './support/cluster.ts';
import { installCrds } from './support/crds.ts';

const cluster = await useSharedCluster();
const source = readFileSync('test/package/app.ts.txt', 'utf8');

describe('the npm package', () => {
  const root = mkdtempSync(join(tmpdir(), 'package-'));
  let tarball: string;

  beforeAll(async () => {
    tarball = await pack(join(root, 'packed'));
    await installCrds(cluster);
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

    const namespace = await cluster.namespace();
    const applied = await cluster.kubectl(['apply', '--validate=strict', '-n', namespace, '-f', join(folder, 'dist')]);
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    const listed = await cluster.kubectl(['get', 'md,hpa,service', '-n', namespace, '-o', 'name']);
    expect(listed.stdout.split('\n')).toEqual([
      'mydeployment.kubebuilder.zq.com/api',
      'mydeployment.kubebuilder.zq.com/old',
      'mydeployment.kubebuilder.zq.com/raw',
      'mydeployment.kubebuilder.zq.com/web',
      'horizontalpodautoscaler.autoscaling/api',
      'service/web',
      '',
    ]);
    expect(readFileSync(join(folder, 'operator', 'operator.yaml'), 'utf8')).toContain('image: operator:1');
  });

  it('tells an app about a mistyped prop when it compiles', async () => {
    const folder = join(root, 'mistyped');
    await createApp(folder, 'commonjs', tarball, source.replace('safeToEvict', 'saveToEvict'));
    expect(await compile(folder, 'nodenext')).toContain("'saveToEvict' does not exist");
  });
});
