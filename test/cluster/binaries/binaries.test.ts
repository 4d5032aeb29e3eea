// The whole way to the binaries, with a mirror on loopback and a fake Go: the order of the ways, damage, interruption,
// and several processes at once.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { type Binaries, binaries, nodeBinaries } from '../../../src/cluster/binaries/binaries.ts';
import { COMPONENTS, goPackage } from '../../../src/cluster/binaries/component.ts';
import { run } from '../../../src/cluster/binaries/run.ts';
import type { BinarySettings } from '../../../src/cluster/binaries/settings.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeGo, NOBODY, RecordedProgress, Scratch } from './fixture.ts';
import { Mirror, sha256 } from './mirror.ts';

const KUBERNETES = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'] as const;
const ALL_PACKAGES = COMPONENTS.map(goPackage);

/** Publishes all six as their projects do; each one's content is its name. */
async function publishAll(mirror: Mirror, scratch: Scratch): Promise<Partial<BinarySettings>> {
  for (const name of KUBERNETES) mirror.publish(`/v1.37.1/bin/linux/amd64/${name}`, name);
  mirror.publish('/v0.8.0/kwok-linux-amd64', 'kwok');
  const name = 'etcd-v3.7.3-linux-amd64';
  await mkdir(join(scratch.path, name));
  await writeFile(join(scratch.path, name, 'etcd'), 'etcd');
  await run('tar', ['-czf', 'archive', name], { environment: { PATH: process.env.PATH }, cwd: scratch.path });
  const archive = await readFile(join(scratch.path, 'archive'));
  mirror.serve(`/v3.7.3/${name}.tar.gz`, archive);
  mirror.serve('/v3.7.3/SHA256SUMS', `${sha256(archive)}  ${name}.tar.gz\n`);
  return { kubeBaseUrl: mirror.url, etcdBaseUrl: mirror.url, kwokBaseUrl: mirror.url };
}

function contents(paths: Binaries): Record<string, string> {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, readFileSync(path, 'utf8')]));
}

const downloaded = Object.fromEntries(COMPONENTS.map((name) => [name, name]));
const built = Object.fromEntries(COMPONENTS.map((name) => [name, `built ${goPackage(name)}`]));

describe('the binaries of the cluster', () => {
  it('are downloaded, and the next time taken from the cache without a request', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const settings = scratch.settings(await publishAll(mirror, scratch));
    const progress = new RecordedProgress();
    const paths = await binaries(settings, progress);
    expect(contents(paths)).toEqual(downloaded);
    expect(paths.kubectl).toBe(join(scratch.path, '.cache/mydeployment/bin/v1.37.1/kubectl'));
    expect(progress.steps('kubectl')).toEqual(['downloading', 'ready']);
    expect(progress.steps('etcd')).toEqual(['downloading', 'unpacking', 'ready']);

    const requests = mirror.requests.length;
    const silence = new RecordedProgress();
    expect(await binaries(settings, silence)).toEqual(paths);
    expect(mirror.requests).toHaveLength(requests);
    expect(silence.events).toEqual([]);
  });

  it('include those of a real node only when they are asked for', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const settings = scratch.settings(await publishAll(mirror, scratch));
    for (const name of ['kubelet', 'kube-proxy']) mirror.publish(`/v1.37.1/bin/linux/amd64/${name}`, name);
    expect(Object.keys(await binaries(settings, new RecordedProgress()))).not.toContain('kubelet');
    const paths = await nodeBinaries(settings, new RecordedProgress());
    expect(Object.values(paths).map((path) => readFileSync(path, 'utf8'))).toEqual(['kubelet', 'kube-proxy']);
  });

  it('come from KUBEBUILDER_ASSETS as far as it has them', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const assetsDir = join(scratch.path, 'assets');
    await mkdir(assetsDir);
    const shipped = ['etcd', 'kube-apiserver', 'kubectl'] as const;
    for (const name of shipped) await writeFile(join(assetsDir, name), `envtest's ${name}`, { mode: 0o755 });
    await writeFile(join(assetsDir, 'kwok'), 'not executable', { mode: 0o644 });
    const settings = scratch.settings({ ...(await publishAll(mirror, scratch)), assetsDir });
    const paths = await binaries(settings, new RecordedProgress());
    expect(contents(paths)).toEqual({
      ...downloaded,
      ...Object.fromEntries(shipped.map((name) => [name, `envtest's ${name}`])),
    });
    expect(mirror.requests.filter((path) => !path.endsWith('.sha256'))).toEqual([
      '/v1.37.1/bin/linux/amd64/kube-controller-manager',
      '/v1.37.1/bin/linux/amd64/kube-scheduler',
      '/v0.8.0/kwok-linux-amd64',
    ]);
  });

  it('are built when the mirror is down', async () => {
    await using scratch = await Scratch.create();
    const go = new FakeGo(scratch.path);
    const progress = new RecordedProgress();
    const paths = await binaries(scratch.settings({ go: go.path }), progress);
    expect(contents(paths)).toEqual(built);
    expect(go.built).toEqual(ALL_PACKAGES);
    expect(progress.steps('kubectl')).toEqual(['skipped', 'resolving', 'building', 'ready']);
  });

  it('are built when the mirror does not have them, and only those', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const mirrored = await publishAll(mirror, scratch);
    mirror.once('/v1.37.1/bin/linux/amd64/kubectl', (_, response) => response.writeHead(404).end());
    const go = new FakeGo(scratch.path);
    const paths = await binaries(scratch.settings({ ...mirrored, go: go.path }), new RecordedProgress());
    expect(contents(paths)).toEqual({ ...downloaded, kubectl: built.kubectl });
  });

  it('are built without a request when downloads are switched off', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const go = new FakeGo(scratch.path);
    const mirrored = await publishAll(mirror, scratch);
    const settings = scratch.settings({ ...mirrored, download: 'never', go: go.path });
    expect(contents(await binaries(settings, new RecordedProgress()))).toEqual(built);
    expect(mirror.requests).toEqual([]);
  });

  it('are not built in place of a download with the wrong checksum: that is an error', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const mirrored = await publishAll(mirror, scratch);
    mirror.serve('/v1.37.1/bin/linux/amd64/kubectl', 'tampered with');
    const go = new FakeGo(scratch.path);
    const getting = binaries(scratch.settings({ ...mirrored, go: go.path }), new RecordedProgress());
    await expect(getting).rejects.toThrow(`has sha256 ${sha256('tampered with')}, expected is ${sha256('kubectl')}`);
    const directory = join(scratch.path, '.cache/mydeployment/bin/v1.37.1');
    expect((await readdir(directory)).filter((name) => !/^kube-.*/.test(name))).toEqual([]);
    expect(go.calls).toEqual([]);
  });

  it.each([
    { name: 'truncated', damage: (path: string) => truncate(path, 3) },
    { name: 'altered', damage: (path: string) => writeFile(path, 'KUBECTL') },
  ])('that are $name in the cache are replaced, and no other', async ({ damage }) => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const settings = scratch.settings(await publishAll(mirror, scratch));
    const paths = await binaries(settings, new RecordedProgress());
    await damage(paths.kubectl);
    mirror.requests.length = 0;
    const progress = new RecordedProgress();
    expect(contents(await binaries(settings, progress))).toEqual(downloaded);
    expect(mirror.requests).toEqual(['.sha256', ''].map((end) => `/v1.37.1/bin/linux/amd64/kubectl${end}`));
    expect(progress.steps('kubectl')).toEqual(['skipped', 'downloading', 'ready']);
  });

  it('of another version are built from a module made for it', async () => {
    await using scratch = await Scratch.create();
    const go = new FakeGo(scratch.path);
    go.upstreamModule = 'module k8s.io/kubernetes\n\ngo 1.24.0\n\nreplace k8s.io/api => ./staging/src/k8s.io/api\n';
    const paths = await binaries(scratch.settings({ kubeVersion: '1.34.4', go: go.path }), new RecordedProgress());
    expect(contents(paths)).toEqual(built);
    expect(paths.kubectl).toBe(join(scratch.path, '.cache/mydeployment/bin/v1.34.4/kubectl'));
    const prepared = go.calls.filter((call) => call.startsWith('mod '));
    expect(prepared).toEqual(['mod download -json k8s.io/kubernetes@v1.34.4', 'mod tidy']);
    expect(go.calls.find((call) => call.startsWith('build ') && call.includes('kubectl'))).toContain(
      '.gitVersion=v1.34.4 ',
    );
  });
});

describe('when no way leads to the binaries', () => {
  it('one message says which are missing, why, and what helps', async () => {
    await using scratch = await Scratch.create();
    const assetsDir = join(scratch.path, 'assets');
    await mkdir(assetsDir);
    await writeFile(join(assetsDir, 'etcd'), '', { mode: 0o755 });
    const getting = binaries(scratch.settings({ assetsDir }), new RecordedProgress());
    const bin = join(scratch.path, '.cache/mydeployment/bin');
    const reasons = (version: string): string => `    KUBEBUILDER_ASSETS: not in ${assetsDir}
    cache: not in ${bin}/${version}
    download: ${NOBODY} does not answer (ECONNREFUSED)
    go build: there is no command ${scratch.path}/no-go-here`;
    const names = 'kube-apiserver, kube-controller-manager, kube-scheduler, kubectl';
    await expect(getting).rejects.toThrow(`cannot get ${names}, kwok
  ${names}
${reasons('v1.37.1')}
  kwok
${reasons('v0.8.0')}
Any one of these helps:
  1. set KUBEBUILDER_ASSETS to a directory that holds ${names}, kwok
  2. restore the network, or set MYDEPLOYMENT_KUBE_URL, MYDEPLOYMENT_ETCD_URL and MYDEPLOYMENT_KWOK_URL to mirrors of the releases
  3. install Go 1.26.0 or newer and put it on PATH; it builds them once, in about ten minutes`);
  });
});

const HANGING = 'echo $$ > "$(dirname "$0")/pid.new"; mv "$(dirname "$0")/pid.new" "$(dirname "$0")/pid"; sleep 600';

/** Waits until a hanging build has begun and written half of its binary, and tells the pid of its fake go. */
async function buildBegun(scratch: Scratch): Promise<number> {
  const file = join(scratch.path, 'pid');
  await eventually(() => expect(existsSync(file)).toBe(true));
  return Number(readFileSync(file, 'utf8'));
}

async function expectGone(pid: number): Promise<void> {
  await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
}

describe('an interrupted build', () => {
  it('leaves neither a file nor a process', async () => {
    await using scratch = await Scratch.create();
    const go = new FakeGo(scratch.path, HANGING);
    const abort = new AbortController();
    const getting = binaries(scratch.settings({ go: go.path }), new RecordedProgress(), abort.signal);
    const outcome = expect(getting).rejects.toThrow('Ctrl-C');
    const pid = await buildBegun(scratch);
    abort.abort(new Error('Ctrl-C'));
    await outcome;
    await expectGone(pid);
    expect(await readdir(join(scratch.path, '.cache/mydeployment/bin/v3.7.3'))).toEqual([]);
  });
});

describe('several processes that want the same binaries', () => {
  const script = fileURLToPath(new URL('provision.ts', import.meta.url));

  function provision(settings: BinarySettings): { child: ChildProcess; said: () => string } {
    const child = spawn(process.execPath, [script, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    return { child, said: () => said };
  }

  it('build each one exactly once; who waits says for whom', async () => {
    await using scratch = await Scratch.create();
    // The first build lasts until the test has seen both processes at work.
    const go = new FakeGo(scratch.path, 'while [ ! -e "$(dirname "$0")/go-on" ]; do sleep 0.05; done');
    const settings = scratch.settings({ go: go.path });
    const [one, two] = [provision(settings), provision(settings)];
    const waiting = `etcd waiting ${one.child.pid}|etcd waiting ${two.child.pid}`;
    await eventually(() => expect(one.said() + two.said()).toMatch(new RegExp(waiting)));
    await writeFile(join(scratch.path, 'go-on'), '');
    const ended = await Promise.all([once(one.child, 'close'), once(two.child, 'close')]);
    expect(ended.map(([code]) => code)).toEqual([0, 0]);
    expect(go.built.toSorted()).toEqual(ALL_PACKAGES.toSorted());
  });

  it('do not wait for one that was killed, nor use what it left', async () => {
    await using scratch = await Scratch.create();
    const hanging = new FakeGo(scratch.path, HANGING);
    const settings = scratch.settings({ go: hanging.path });
    const killed = provision(settings);
    const pid = await buildBegun(scratch);
    killed.child.kill('SIGKILL');
    await once(killed.child, 'close');
    await expectGone(pid);

    new FakeGo(scratch.path);
    const progress = new RecordedProgress();
    expect(contents(await binaries(settings, progress))).toEqual(built);
    expect(progress.steps('etcd')).not.toContain('waiting');
  });
});
