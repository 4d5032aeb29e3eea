// The README as npm packs it: people who have only the package read it, too.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

it('every file that the README links to is in the package', () => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  const paths = new Set(files.map(({ path }) => path));
  const links = [...readFileSync('README.md', 'utf8').matchAll(/\]\(([^)\s#]+)/g)].map(([, target = '']) => target);
  const local = links.filter((target) => !/^https?:/.test(target));
  expect(local).toContain('docs/install.md');
  expect(local.filter((target) => !paths.has(target))).toEqual([]);
});
