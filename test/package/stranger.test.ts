// The package in a project that `cdk8s init typescript-app` writes, with all declarations checked, on the Node that the
// machine has. Only the peers are installed beside it: a declaration that needs another package does not compile.

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { buildPlugin } from '../../src/build/plugin.ts';
import { compileWith, createApp, pack } from './consumer.ts';

const run = promisify(execFile);

/** Node as the machine has it, which npm scripts put the pinned one in front of. */
const machineNode =
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((path) => existsSync(path)) ?? process.execPath;

describe("a stranger's cdk8s project", () => {
  const root = mkdtempSync(join(tmpdir(), 'stranger-'));
  const folder = join(root, 'app');

  beforeAll(async () => {
    const tarball = await pack(join(root, 'packed'));
    const source = readFileSync('test/package/app.ts.txt', 'utf8');
    await createApp(folder, 'commonjs', tarball, source, 'peers');
    cpSync('node_modules/cdk8s-cli/templates/typescript-app/tsconfig.json', join(folder, 'tsconfig.json'));
    // What `cdk8s init` installs; cdk8s-plus-27 is added to it.
    symlinkSync(resolve('node_modules/cdk8s-plus-33'), join(folder, 'node_modules/cdk8s-plus-33'));
    cpSync('test/package/newer-plus.ts.txt', join(folder, 'newer-plus.ts'));
  }, 60_000);
  afterAll(() => rmSync(root, { recursive: true }));

  it('compiles without an error in any declaration', async () => {
    expect(await compileWith(folder, ['--project', '.'])).toBe('');
  });

  it('synthesizes on the Node of the machine', async () => {
    await run(machineNode, ['main.js'], { cwd: folder });
    expect(readFileSync(join(folder, 'operator', 'operator.yaml'), 'utf8')).toContain('image: operator:1');
  });

  it('may use a newer cdk8s-plus for what refers to a MyDeployment, and for probes, volumes and strategies in it', async () => {
    await run(machineNode, ['newer-plus.js'], { cwd: folder });
    const text = readFileSync(join(folder, 'newer-plus', 'shop.yaml'), 'utf8');
    const objects = parseAllDocuments(text).map((document) => document.toJS());
    const named = (kind: string, name?: string) =>
      objects.find((each) => each.kind === kind && (name === undefined || each.metadata.name === name));
    const web = named('MyDeployment', 'web');
    expect(named('Deployment')).toBeUndefined();
    expect(named('Service').spec.selector).toEqual(web.spec.selector.matchLabels);
    expect(named('NetworkPolicy').spec.podSelector).toEqual(web.spec.selector);
    for (const { spec } of objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')) {
      const { name } = spec.scaleTargetRef;
      expect(spec.scaleTargetRef).toEqual({ apiVersion: web.apiVersion, kind: 'MyDeployment', name });
      expect(named('MyDeployment', name).spec).not.toHaveProperty('replicas');
    }
    expect(named('MyDeployment', 'old').spec.template.spec).toMatchObject({
      affinity: { podAffinity: expect.anything() },
      containers: [{ image: 'old:1' }, { image: 'side:1' }],
    });
    expect(web.spec.strategy).toMatchObject({ rollingUpdate: { maxSurge: 1 } });
    expect(web.spec.template.spec).toMatchObject({
      serviceAccountName: 'account',
      containers: [
        {
          readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 3 },
          livenessProbe: { exec: { command: ['alive'] } },
          startupProbe: { tcpSocket: { port: 8080 } },
          volumeMounts: [{ mountPath: '/tmp', name: 'tmp' }],
        },
      ],
      volumes: [{ name: 'tmp', emptyDir: {} }],
    });
  });

  it('gets from the plugin one line about a Node that is too old, or its help', async () => {
    const plugin = join(root, 'plugin');
    await buildPlugin(plugin);
    const { stdout: version } = await run(machineNode, ['-p', 'process.versions.node']);
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const ended = run(machineNode, [resolve(plugin, 'main.js'), '--help'], { cwd: root });
    if (major > 22 || (major === 22 && minor >= 19)) {
      expect((await ended).stdout).toContain('kubectl md COMMAND [flags]');
    } else {
      const stderr = `error: kubectl md needs Node.js 22.19 or later, and this is ${version.trim()}\n`;
      await expect(ended).rejects.toMatchObject({ code: 1, stderr });
    }
  });
});
