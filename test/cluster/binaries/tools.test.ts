// Programs for tests: where they come from, when they are built again, and what a person without Go reads.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { GO_VERSION } from '../../../src/cluster/binaries/component.ts';
import { requiredVersion, TOOL_NAMES, toolNamed } from '../../../src/cluster/binaries/tool.ts';
import { provideTool } from '../../../src/cluster/binaries/tools.ts';
import { FakeGo, RecordedProgress, Scratch } from './fixture.ts';

describe('a tool', () => {
  it('is built from its module once, with its version stamped, and found afterwards', async () => {
    await using scratch = await Scratch.create();
    const go = new FakeGo(scratch.path);
    const settings = scratch.settings({ go: go.path });
    const progress = new RecordedProgress();
    const path = await provideTool('helm', settings, progress);
    const { version } = toolNamed('helm');
    expect(path).toBe(join(settings.cacheDir, 'tools/helm', `v${version}`, 'helm'));
    expect(readFileSync(path, 'utf8')).toBe('built helm.sh/helm/v4/cmd/helm');
    expect(go.calls.at(-1)).toContain(
      `-ldflags=-s -w -X helm.sh/helm/v4/internal/version.version=v${version.replace(/-.*/, '')} `,
    );
    expect(progress.steps('helm')).toEqual(['resolving', 'building', 'ready']);
    expect(await provideTool('helm', settings, progress)).toBe(path);
    expect(go.built).toHaveLength(1);
  });

  it('is built once by two that want it at the same time', async () => {
    await using scratch = await Scratch.create();
    const go = new FakeGo(scratch.path, 'sleep 0.3');
    const settings = scratch.settings({ go: go.path });
    const [first, second] = await Promise.all([1, 2].map(() => provideTool('helm', settings, new RecordedProgress())));
    expect(second).toBe(first);
    expect(go.built).toHaveLength(1);
  });

  it('comes from KUBEBUILDER_ASSETS first', async () => {
    await using scratch = await Scratch.create();
    const assetsDir = join(scratch.path, 'assets');
    mkdirSync(assetsDir);
    writeFileSync(join(assetsDir, 'helm'), '', { mode: 0o755 });
    const path = await provideTool('helm', scratch.settings({ assetsDir }), new RecordedProgress());
    expect(path).toBe(join(assetsDir, 'helm'));
  });

  it('that cannot be built says what helps', async () => {
    await using scratch = await Scratch.create();
    const providing = provideTool('helm', scratch.settings(), new RecordedProgress());
    await expect(providing).rejects.toThrow(
      /^cannot build helm: there is no command .*no-go-here\nGo 1\.26\.0 or newer on PATH builds it, or set KUBEBUILDER_ASSETS to a directory that holds helm$/,
    );
  });
});

describe('the modules of tools', () => {
  it.each(TOOL_NAMES)('pin %s for the announced Go, with sums', (name) => {
    const { directory } = toolNamed(name);
    const mod = readFileSync(join(directory, 'go.mod'), 'utf8');
    expect(mod).toMatch(new RegExp(`^module mydeployment/tools/${name}\n\ngo ${GO_VERSION}\n`));
    expect(readFileSync(join(directory, 'go.sum'), 'utf8')).toContain(' h1:');
  });

  it('say which version they require, in a block or on a line', () => {
    expect(requiredVersion('require (\n\ta.b/c v1.2.3 // indirect\n)', 'a.b/c')).toBe('v1.2.3');
    expect(requiredVersion('require a.b/c v1.2.4\n', 'a.b/c')).toBe('v1.2.4');
    expect(() => requiredVersion('require a.b/c/v2 v2.0.0\n', 'a.b/c')).toThrow('go.mod requires no version of a.b/c');
  });
});
