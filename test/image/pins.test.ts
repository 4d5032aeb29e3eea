import { describe, expect, it } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { DEBIAN_PACKAGES, DEBIAN_SUITE, NODE_PACKAGES, pins } from '../../src/image/pins.ts';
import { ARCHITECTURES } from '../../src/oci/image.ts';

describe('the pinned parts', () => {
  it.each(ARCHITECTURES)('are complete for %s', (architecture) => {
    const names = pins.debian.filter((pin) => pin.architecture === architecture).map(({ name }) => name);
    expect(names.sort()).toEqual([...DEBIAN_PACKAGES].sort());
    expect(pins.node.filter((pin) => pin.architecture === architecture)).toMatchObject([
      { name: NODE_PACKAGES[architecture], version: packageJson.devDependencies.node },
    ]);
  });

  it('have the same versions on every architecture', () => {
    const versions = Map.groupBy(pins.debian, ({ name }) => name);
    for (const [name, group] of versions)
      expect([name, new Set(group.map(({ version }) => version)).size]).toEqual([name, 1]);
  });

  it('are of the release that the code names', () => {
    expect(pins.suite).toBe(DEBIAN_SUITE);
  });
});
