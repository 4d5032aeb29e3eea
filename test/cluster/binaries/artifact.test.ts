// Where files are published, and which of them are believed.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Artifact, artifact, fetchArtifact } from '../../../src/cluster/binaries/artifact.ts';
import { type Component, DEFAULT_VERSIONS, releaseName } from '../../../src/cluster/binaries/component.ts';
import { Downloader } from '../../../src/cluster/binaries/download.ts';
import { KNOWN_CHECKSUMS } from '../../../src/cluster/binaries/known-checksums.ts';
import type { Activity } from '../../../src/cluster/binaries/progress.ts';
import { run } from '../../../src/cluster/binaries/run.ts';
import { binarySettings } from '../../../src/cluster/binaries/settings.ts';
import { monotonicClock } from '../../../src/runtime/clock.ts';
import { Scratch } from './fixture.ts';
import { Mirror, sha256 } from './mirror.ts';

const environment = { PATH: process.env.PATH };

async function fetchInto(scratch: Scratch, wanted: Artifact) {
  const activities: Activity[] = [];
  const work = join(scratch.path, 'work');
  await mkdir(work);
  const path = await fetchArtifact(wanted, {
    downloader: new Downloader({ answerMs: 5_000, stallMs: 5_000, attempts: 2, backoffMs: 1 }, monotonicClock),
    environment,
    work,
    report: (activity) => activities.push(activity),
  });
  return { content: await readFile(path, 'utf8'), activities };
}

describe('where releases are published', () => {
  const settings = binarySettings({ HOME: '/home/ada', KUBE_VERSION: '1.34.4' }, { platform: 'linux', arch: 'arm64' });

  it.each([
    {
      component: 'kube-scheduler',
      at: {
        url: 'https://dl.k8s.io/v1.34.4/bin/linux/arm64/kube-scheduler',
        checksums: [{ url: 'https://dl.k8s.io/v1.34.4/bin/linux/arm64/kube-scheduler.sha256', format: 'sums' }],
      },
    },
    {
      component: 'etcd',
      at: {
        url: 'https://github.com/etcd-io/etcd/releases/download/v3.7.3/etcd-v3.7.3-linux-arm64.tar.gz',
        checksums: [{ url: 'https://github.com/etcd-io/etcd/releases/download/v3.7.3/SHA256SUMS', format: 'sums' }],
        member: 'etcd-v3.7.3-linux-arm64/etcd',
      },
    },
    {
      component: 'kwok',
      at: {
        url: 'https://github.com/kubernetes-sigs/kwok/releases/download/v0.8.0/kwok-linux-arm64',
        checksums: [
          {
            url: 'https://github.com/kubernetes-sigs/kwok/releases/download/v0.8.0/kwok-linux-arm64.sha256',
            format: 'sums',
          },
          { url: 'https://api.github.com/repos/kubernetes-sigs/kwok/releases/tags/v0.8.0', format: 'github' },
        ],
      },
    },
  ] as const)('$component', ({ component, at }) => {
    expect(artifact(component, settings)).toEqual(at);
  });
});

describe('a checksum that is known', () => {
  const settings = binarySettings({ HOME: '/home/ada' }, { platform: 'linux', arch: 'x64' });

  it('is of a default version, and looks like one', () => {
    for (const [name, sha256] of Object.entries(KNOWN_CHECKSUMS)) {
      const [component, version, platform] = name.split(' ') as [Component, string, string];
      expect(version).toBe(DEFAULT_VERSIONS[releaseName(component)]);
      expect(platform).toMatch(/^(linux|darwin)\/(amd64|arm64)$/);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('comes before those that are published with the file, and is of that version and platform only', () => {
    const known = { ...settings, checksums: { 'kubectl 1.37.1 linux/amd64': sha256('released') } };
    const [first] = artifact('kubectl', known).checksums;
    expect(first).toEqual({ format: 'known', sha256: sha256('released') });
    expect(artifact('kubectl', { ...known, kubeVersion: '1.37.0' }).checksums).toMatchObject([{ format: 'sums' }]);
    expect(artifact('kubectl', { ...known, platform: 'darwin/arm64' }).checksums).toMatchObject([{ format: 'sums' }]);
  });

  it('refuses a file that its host vouches for, and is not asked for anywhere', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const checksums = { 'kubectl 1.37.1 linux/amd64': sha256('released') };
    const wanted = artifact('kubectl', scratch.settings({ kubeBaseUrl: mirror.url, checksums }));
    mirror.publish(new URL(wanted.url).pathname, 'replaced');
    await expect(fetchInto(scratch, wanted)).rejects.toThrow(
      `has sha256 ${sha256('replaced')}, expected is ${sha256('released')}`,
    );
    expect(mirror.requests).toEqual([new URL(wanted.url).pathname]);
  });

  it('lets the file pass that it is of', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const checksums = { 'kubectl 1.37.1 linux/amd64': sha256('released') };
    const wanted = artifact('kubectl', scratch.settings({ kubeBaseUrl: mirror.url, checksums }));
    mirror.serve(new URL(wanted.url).pathname, 'released');
    expect((await fetchInto(scratch, wanted)).content).toBe('released');
  });
});

describe('a published file', () => {
  it('is used when its checksum is right', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    mirror.publish('/kubectl', 'kubectl!');
    const settings = scratch.settings({ kubeBaseUrl: mirror.url });
    const { url, checksums } = artifact('kubectl', settings);
    mirror.publish(new URL(url).pathname, 'kubectl!');
    const { content, activities } = await fetchInto(scratch, { url, checksums });
    expect(content).toBe('kubectl!');
    expect(activities).toEqual([
      { step: 'downloading', done: 0 },
      { step: 'downloading', done: 8, total: 8 },
    ]);
  });

  it('with the wrong checksum is discarded, and the error shows both', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    mirror.serve('/kubectl', 'something else').serve('/kubectl.sha256', sha256('kubectl!'));
    const wanted: Artifact = {
      url: `${mirror.url}/kubectl`,
      checksums: [{ url: `${mirror.url}/kubectl.sha256`, format: 'sums' }],
    };
    await expect(fetchInto(scratch, wanted)).rejects.toThrow(
      `${mirror.url}/kubectl has sha256 ${sha256('something else')}, expected is ${sha256('kubectl!')}`,
    );
    expect(await readdir(join(scratch.path, 'work'))).toEqual([]);
  });

  it('without a checksum is not even asked for', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    mirror.serve('/kwok', 'kwok!').serve('/digests', '{"assets":[]}');
    const wanted: Artifact = {
      url: `${mirror.url}/kwok`,
      checksums: [
        { url: `${mirror.url}/kwok.sha256`, format: 'sums' },
        { url: `${mirror.url}/digests`, format: 'github' },
      ],
    };
    await expect(fetchInto(scratch, wanted)).rejects.toMatchObject({
      kind: 'refused',
      message: `no checksum of kwok at ${mirror.url}/kwok.sha256 or ${mirror.url}/digests`,
    });
    expect(mirror.requests).toEqual(['/kwok.sha256', '/digests']);
  });

  it("is checked against GitHub's digest when the project publishes none", async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const settings = scratch.settings({ kwokBaseUrl: mirror.url, kwokDigestUrl: `${mirror.url}/tags` });
    const digests = { assets: [{ name: 'kwok-linux-amd64', digest: `sha256:${sha256('kwok!')}` }] };
    mirror.serve('/v0.8.0/kwok-linux-amd64', 'kwok!').serve('/tags/v0.8.0', JSON.stringify(digests));
    expect((await fetchInto(scratch, artifact('kwok', settings))).content).toBe('kwok!');
  });

  it('is unpacked when it is an archive', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const settings = scratch.settings({ etcdBaseUrl: mirror.url });
    const name = 'etcd-v3.7.3-linux-amd64';
    await mkdir(join(scratch.path, name));
    await writeFile(join(scratch.path, name, 'etcd'), 'etcd!');
    await writeFile(join(scratch.path, name, 'etcdctl'), 'not wanted');
    await run('tar', ['-czf', 'archive', name], { environment, cwd: scratch.path });
    const archive = await readFile(join(scratch.path, 'archive'));
    mirror.serve(`/v3.7.3/${name}.tar.gz`, archive);
    mirror.serve('/v3.7.3/SHA256SUMS', `${sha256('x')}  x.zip\n${sha256(archive)}  ${name}.tar.gz\n`);
    const { content, activities } = await fetchInto(scratch, artifact('etcd', settings));
    expect(content).toBe('etcd!');
    expect(activities.at(-1)).toEqual({ step: 'unpacking' });
    expect(await readdir(join(scratch.path, 'work', 'unpacked', name))).toEqual(['etcd']);
  });
});
