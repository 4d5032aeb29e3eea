// The Go modules that pin a build: the text made for any version, and the committed ones.

import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_VERSIONS, GO_VERSION, type ReleaseName } from '../../../src/cluster/binaries/component.ts';
import { moduleDirectory, moduleFile } from '../../../src/cluster/binaries/go-module.ts';
import { Scratch } from './fixture.ts';

const upstream = `module k8s.io/kubernetes

go 1.24.0

godebug default=go1.24

require (
	github.com/spf13/pflag v1.0.6
	k8s.io/api v0.0.0
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/apimachinery => ./staging/src/k8s.io/apimachinery
)
`;

describe('the module that builds a release', () => {
  it('replaces what Kubernetes keeps in its own tree by the published versions', () => {
    expect(
      moduleFile({ name: 'kubernetes', version: '1.34.4' }, upstream),
    ).toBe(`module mydeployment/binaries/kubernetes

go 1.24.0

tool (
	k8s.io/kubernetes/cmd/kube-apiserver
	k8s.io/kubernetes/cmd/kube-controller-manager
	k8s.io/kubernetes/cmd/kube-scheduler
	k8s.io/kubernetes/cmd/kubectl
	k8s.io/kubernetes/cmd/kubelet
	k8s.io/kubernetes/cmd/kube-proxy
)

require (
	k8s.io/kubernetes v1.34.4
)

replace (
	k8s.io/api => k8s.io/api v0.34.4
	k8s.io/apimachinery => k8s.io/apimachinery v0.34.4
)`);
  });

  it.each([
    { name: 'etcd', tool: 'go.etcd.io/etcd/server/v3', requires: 'go.etcd.io/etcd/server/v3 v3.5.21' },
    { name: 'kwok', tool: 'sigs.k8s.io/kwok/cmd/kwok', requires: 'sigs.k8s.io/kwok v3.5.21' },
  ] as const)('of $name needs no replacement', ({ name, tool, requires }) => {
    expect(moduleFile({ name, version: '3.5.21' }, 'module x\n\ngo 1.25.1\n\nreplace y => ../y\n')).toBe(
      `module mydeployment/binaries/${name}\n\ngo 1.25.1\n\ntool (\n\t${tool}\n)\n\nrequire (\n\t${requires}\n)`,
    );
  });

  it('cannot be made from something that is no go.mod', () => {
    const making = (): string => moduleFile({ name: 'kwok', version: '0.7.0' }, '<html>');
    expect(making).toThrow('the go.mod of kwok v0.7.0 has no go line');
  });
});

describe('the committed modules', () => {
  it.each([
    { name: 'kubernetes', requires: `k8s.io/kubernetes v${DEFAULT_VERSIONS.kubernetes}` },
    { name: 'etcd', requires: `go.etcd.io/etcd/server/v3 v${DEFAULT_VERSIONS.etcd}` },
    { name: 'kwok', requires: `sigs.k8s.io/kwok v${DEFAULT_VERSIONS.kwok}` },
  ] as const)('pin $name at the default version and the announced Go', async ({ name, requires }) => {
    const release = { name, version: DEFAULT_VERSIONS[name as ReleaseName] };
    const directory = await moduleDirectory(release, '/nowhere', () => Promise.reject(new Error('needs no go')));
    const [mod, sum] = ['go.mod', 'go.sum'].map((file) => readFileSync(join(directory, file), 'utf8'));
    expect(mod).toContain(`\t${requires} // indirect\n`);
    expect(mod).toContain(`\ngo ${GO_VERSION}\n`);
    expect(sum).toContain(`${requires} h1:`);
  });

  it('replace every staging module of Kubernetes by the same version', async () => {
    const release = { name: 'kubernetes', version: DEFAULT_VERSIONS.kubernetes } as const;
    const directory = await moduleDirectory(release, '/nowhere', () => Promise.reject(new Error('needs no go')));
    const mod = readFileSync(join(directory, 'go.mod'), 'utf8');
    const replaced = [...mod.matchAll(/^\t(\S+) => (\S+) (\S+)$/gm)].map(([, from, to, version]) => ({
      from,
      to,
      version,
    }));
    expect(replaced.length).toBeGreaterThan(30);
    for (const { from, to, version } of replaced) {
      expect({ to, version }).toEqual({ to: from, version: release.version.replace('1.', 'v0.') });
    }
  });
});

describe('the module of another version', () => {
  const release = { name: 'kubernetes', version: '1.34.4' } as const;

  function recorder(scratch: Scratch) {
    const calls: string[] = [];
    const go = async (directory: string, args: readonly string[]): Promise<string> => {
      calls.push(args.join(' '));
      if (args[1] === 'tidy') await writeFile(join(directory, 'go.sum'), 'sums');
      return JSON.stringify({ GoMod: join(scratch.path, 'upstream.mod') });
    };
    return { calls, go };
  }

  it('is made from its own go.mod once, and found afterwards', async () => {
    await using scratch = await Scratch.create();
    await writeFile(join(scratch.path, 'upstream.mod'), upstream);
    const { calls, go } = recorder(scratch);
    const directory = await moduleDirectory(release, scratch.path, go);
    expect(calls).toEqual(['mod download -json k8s.io/kubernetes@v1.34.4', 'mod tidy']);
    expect(directory).toBe(join(scratch.path, 'modules', 'kubernetes-v1.34.4'));
    expect(await readFile(join(directory, 'go.mod'), 'utf8')).toBe(moduleFile(release, upstream));
    expect(await moduleDirectory(release, scratch.path, go)).toBe(directory);
    expect(calls).toHaveLength(2);
  });

  it('is made anew when it was made for fewer programs', async () => {
    await using scratch = await Scratch.create();
    await writeFile(join(scratch.path, 'upstream.mod'), upstream);
    const directory = join(scratch.path, 'modules', 'kubernetes-v1.34.4');
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'complete'), 'k8s.io/kubernetes/cmd/kube-apiserver');
    const { calls, go } = recorder(scratch);
    await moduleDirectory(release, scratch.path, go);
    expect(calls).toHaveLength(2);
    await moduleDirectory(release, scratch.path, go);
    expect(calls).toHaveLength(2);
  });

  it('is made anew after an interruption', async () => {
    await using scratch = await Scratch.create();
    await writeFile(join(scratch.path, 'upstream.mod'), upstream);
    const directory = join(scratch.path, 'modules', 'kubernetes-v1.34.4');
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'half'), '');
    const { calls, go } = recorder(scratch);
    await moduleDirectory(release, scratch.path, go);
    expect(calls).toHaveLength(2);
    expect(existsSync(join(directory, 'half'))).toBe(false);
  });
});
