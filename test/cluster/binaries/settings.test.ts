// What the environment may say, what it means, and how a wrong value is answered.

import { describe, expect, it } from '@jest/globals';
import { KNOWN_CHECKSUMS } from '../../../src/cluster/binaries/known-checksums.ts';
import { binarySettings, releaseOf } from '../../../src/cluster/binaries/settings.ts';

const host = { platform: 'linux', arch: 'x64' };
const home = { HOME: '/home/ada' };

describe('settings from the environment', () => {
  it('has defaults for everything but a home', () => {
    expect(binarySettings(home, host)).toEqual({
      kubeVersion: '1.37.1',
      etcdVersion: '3.7.3',
      kwokVersion: '0.8.0',
      cacheDir: '/home/ada/.cache/mydeployment',
      kubeBaseUrl: 'https://dl.k8s.io',
      etcdBaseUrl: 'https://github.com/etcd-io/etcd/releases/download',
      kwokBaseUrl: 'https://github.com/kubernetes-sigs/kwok/releases/download',
      kwokDigestUrl: 'https://api.github.com/repos/kubernetes-sigs/kwok/releases/tags',
      checksums: KNOWN_CHECKSUMS,
      download: 'auto',
      verify: 'quick',
      limits: { answerMs: 5_000, stallMs: 30_000, attempts: 6, backoffMs: 500 },
      go: 'go',
      platform: 'linux/amd64',
      environment: home,
    });
  });

  it.each([
    { set: { KUBE_VERSION: '1.34.4' }, means: { kubeVersion: '1.34.4' } },
    { set: { KUBE_VERSION: 'v1.34.4' }, means: { kubeVersion: '1.34.4' } },
    { set: { KUBE_VERSION: 'v1.37.0-rc.1' }, means: { kubeVersion: '1.37.0-rc.1' } },
    { set: { KUBE_VERSION: '' }, means: { kubeVersion: '1.37.1' } },
    { set: { MYDEPLOYMENT_ETCD_VERSION: 'v3.5.21' }, means: { etcdVersion: '3.5.21' } },
    { set: { MYDEPLOYMENT_KWOK_VERSION: '0.7.0' }, means: { kwokVersion: '0.7.0' } },
    { set: { KUBEBUILDER_ASSETS: '/opt/envtest' }, means: { assetsDir: '/opt/envtest' } },
    { set: { XDG_CACHE_HOME: '/var/cache/ada' }, means: { cacheDir: '/var/cache/ada/mydeployment' } },
    { set: { XDG_CACHE_HOME: 'relative' }, means: { cacheDir: '/home/ada/.cache/mydeployment' } },
    { set: { MYDEPLOYMENT_KUBE_URL: 'http://mirror/kube/' }, means: { kubeBaseUrl: 'http://mirror/kube' } },
    { set: { MYDEPLOYMENT_ETCD_URL: 'http://mirror/etcd' }, means: { etcdBaseUrl: 'http://mirror/etcd' } },
    { set: { MYDEPLOYMENT_KWOK_URL: 'http://mirror/kwok' }, means: { kwokBaseUrl: 'http://mirror/kwok' } },
    { set: { MYDEPLOYMENT_KWOK_DIGEST_URL: 'http://mirror/d' }, means: { kwokDigestUrl: 'http://mirror/d' } },
    { set: { MYDEPLOYMENT_DOWNLOAD: 'never' }, means: { download: 'never' } },
    { set: { MYDEPLOYMENT_VERIFY: 'full' }, means: { verify: 'full' } },
    { set: { MYDEPLOYMENT_GO: '/opt/go/bin/go' }, means: { go: '/opt/go/bin/go' } },
  ])('reads $set', ({ set, means }) => {
    expect(binarySettings({ ...home, ...set }, host)).toMatchObject(means);
  });

  it.each([
    {
      set: { KUBE_VERSION: 'latest' },
      says: 'KUBE_VERSION: expected a version such as 1.37.1 or v1.37.1, got "latest"',
    },
    { set: { KUBE_VERSION: '1.36' }, says: 'got "1.36"' },
    { set: { KUBE_VERSION: '1.37.1 ' }, says: 'got "1.37.1 "' },
    { set: { KUBE_VERSION: '../1.37.1' }, says: 'got "../1.37.1"' },
    {
      set: { MYDEPLOYMENT_KUBE_URL: 'mirror' },
      says: 'MYDEPLOYMENT_KUBE_URL: expected an http or https URL, got "mirror"',
    },
    { set: { MYDEPLOYMENT_KWOK_URL: 'ftp://x' }, says: 'got "ftp://x"' },
    { set: { MYDEPLOYMENT_DOWNLOAD: 'no' }, says: 'MYDEPLOYMENT_DOWNLOAD: expected auto or never, got "no"' },
    { set: { HOME: '' }, says: 'neither XDG_CACHE_HOME nor HOME is set' },
  ])('refuses $set', ({ set, says }) => {
    expect(() => binarySettings({ ...home, ...set }, host)).toThrow(says);
  });

  it.each([
    { host: { platform: 'linux', arch: 'arm64' }, platform: 'linux/arm64' },
    { host: { platform: 'darwin', arch: 'x64' }, platform: 'darwin/amd64' },
  ])('names $host as Go does', ({ host, platform }) => {
    expect(binarySettings(home, host).platform).toBe(platform);
  });

  it.each([
    { name: 'kubernetes', version: '1.34.4' },
    { name: 'etcd', version: '3.7.3' },
    { name: 'kwok', version: '0.8.0' },
  ] as const)('gives $name its version', ({ name, version }) => {
    const settings = binarySettings({ ...home, KUBE_VERSION: '1.34.4' }, host);
    expect(releaseOf(name, settings)).toEqual({ name, version });
  });
});
