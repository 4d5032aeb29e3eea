import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { DEFAULT_VERSIONS } from '../src/cluster/binaries/component.ts';

const test = parse(readFileSync('.github/workflows/test.yml', 'utf8')).jobs.test;

it('the test workflow runs what CI runs, also on the default Kubernetes', () => {
  expect(test.steps.map(({ run }: { run?: string }) => run ?? '').join('\n')).toContain('.ci/run');
  expect(test.env.KUBE_VERSION).toContain('matrix.kubernetes');
  expect(test.strategy.matrix.kubernetes).toContain(DEFAULT_VERSIONS.kubernetes);
});

it.each(globSync('.github/**/*.yml'))('%s is YAML', (path) => {
  expect(parse(readFileSync(path, 'utf8'))).toBeTruthy();
});
