import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { KINDS } from '../../src/kinds/kinds.ts';
import { CUSTOMIZATIONS } from './argo-cd-cases.ts';

describe('the folder for Argo CD', () => {
  it.each(Object.values(KINDS).map(({ definition: { resource } }) => `${resource.group}/${resource.kind}`))(
    'has a health script and its test cases for %s',
    (path) => {
      for (const file of ['health.lua', 'health_test.yaml']) {
        expect({ file, exists: existsSync(join(CUSTOMIZATIONS, path, file)) }).toEqual({ file, exists: true });
      }
    },
  );

  it.each(globSync('*/*/{,actions/}*_test.yaml', { cwd: CUSTOMIZATIONS }).sort())('%s names every object', (path) => {
    const tests = readFileSync(join(CUSTOMIZATIONS, path), 'utf8');
    const objects = globSync('testdata/*', { cwd: join(CUSTOMIZATIONS, dirname(path)) });
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.filter((object) => !tests.includes(object))).toEqual([]);
  });
});
