// What Go is asked to do, told by a fake one that records its calls.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Component } from '../../../src/cluster/binaries/component.ts';
import { goBuild } from '../../../src/cluster/binaries/go-build.ts';
import type { Activity } from '../../../src/cluster/binaries/progress.ts';
import { releaseOf } from '../../../src/cluster/binaries/settings.ts';
import { FakeGo, Scratch } from './fixture.ts';

const STAMPS = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
  .map((path) => `-X ${path}.gitVersion=v1.37.1 -X ${path}.gitMajor=1 -X ${path}.gitMinor=37 -X ${path}.gitCommit=`)
  .join(' ');

async function build(component: Component, scratch: Scratch, behaviour?: string) {
  const go = new FakeGo(scratch.path, behaviour);
  const settings = scratch.settings({ go: go.path });
  const release = releaseOf(component === 'kubectl' ? 'kubernetes' : 'kwok', settings);
  const activities: Activity[] = [];
  const report = (activity: Activity): void => void activities.push(activity);
  const path = await goBuild(component, release, { settings, work: scratch.path, report });
  return { path, activities, calls: go.calls };
}

describe('a build with Go', () => {
  it.each([
    { component: 'kubectl', package: 'k8s.io/kubernetes/cmd/kubectl', linker: `-s -w ${STAMPS}` },
    { component: 'kwok', package: 'sigs.k8s.io/kwok/cmd/kwok', linker: '-s -w' },
  ] as const)('of $component stamps the version of its release', async ({ component, package: built, linker }) => {
    await using scratch = await Scratch.create();
    const { path, calls } = await build(component, scratch);
    expect(await readFile(path, 'utf8')).toBe(`built ${built}`);
    const flags = `-mod=readonly -trimpath -buildvcs=false -ldflags=${linker}`;
    expect(calls).toEqual([
      `list ${flags} -deps -f {{if .Stale}}{{.ImportPath}}{{end}} ${built}`,
      `build ${flags} -v -o ${join(scratch.path, component)} ${built}`,
    ]);
  });

  it('says how far it is', async () => {
    await using scratch = await Scratch.create();
    const { activities } = await build('kwok', scratch, 'echo "go: not a package" >&2; echo b >&2');
    expect(activities).toEqual([
      { step: 'resolving', done: 0 },
      { step: 'resolving', done: 1 },
      { step: 'building', done: 0, total: 2 },
      { step: 'building', done: 1, total: 2 },
      { step: 'building', done: 2, total: 2 },
    ]);
  });

  it('is static, for the platform wanted, outside of workspaces, with its scratch files in the work place', async () => {
    await using scratch = await Scratch.create();
    const wanted = 'echo "$CGO_ENABLED $GOOS $GOARCH $GOWORK $GOTMPDIR" > "$(dirname "$0")/environment"';
    await build('kwok', scratch, wanted);
    const environment = await readFile(join(scratch.path, 'environment'), 'utf8');
    expect(environment).toBe(`0 linux amd64 off ${scratch.path}\n`);
  });

  it('that fails shows what Go said', async () => {
    await using scratch = await Scratch.create();
    const building = build('kwok', scratch, 'echo "go.mod requires go >= 1.26.0" >&2; exit 1');
    await expect(building).rejects.toThrow(/ended with 1:\n.*\ngo.mod requires go >= 1.26.0$/);
  });
});
