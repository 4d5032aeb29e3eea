import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { DEFAULT_VERSIONS } from '../src/cluster/binaries/component.ts';

const test = parse(readFileSync('.github/workflows/test.yml', 'utf8')).jobs.test;

it('the test workflow runs what CI runs, also on the default Kubernetes', () => {
  expect(test.steps.map(({ run }: { run?: string }) => run ?? '').join('\n')).toContain('.ci/run');
  expect(test.env.KUBE_VERSION).toContain('matrix.kubernetes');
  expect(test.strategy.matrix.kubernetes).toContain(DEFAULT_VERSIONS.kubernetes);
});

it('the release workflow writes into the package where its repository, home page and bugs are', () => {
  const { steps } = parse(readFileSync('.github/workflows/release.yml', 'utf8')).jobs.release;
  const names = steps.map(({ name, run }: { name?: string; run?: string }) => name ?? run);
  const step = steps.find(({ name }: { name?: string }) => name === 'The package names its repository');
  expect(names.indexOf(step?.name)).toBeLessThan(names.findIndex((name: string) => name?.startsWith('make release')));
  const folder = mkdtempSync(join(tmpdir(), 'workflow-'));
  copyFileSync('package.json', join(folder, 'package.json'));
  const env = { ...process.env, REPOSITORY_URL: 'https://git.example.com/team/mydeployment' };
  execFileSync('bash', ['-ec', step.run], { cwd: folder, env, stdio: 'pipe' });
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({
    name: 'mydeployment',
    repository: { type: 'git', url: 'git+https://git.example.com/team/mydeployment.git' },
    homepage: 'https://git.example.com/team/mydeployment#readme',
    bugs: { url: 'https://git.example.com/team/mydeployment/issues' },
  });
});

it.each(globSync('.github/**/*.yml'))('%s is YAML', (path) => {
  expect(parse(readFileSync(path, 'utf8'))).toBeTruthy();
});
