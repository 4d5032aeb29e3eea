// Holds the sources to the rules of the architecture, and shows that each rule catches what it is there for.

import { describe, expect, it } from '@jest/globals';
import {
  layerViolations,
  pageViolations,
  purityViolations,
  testingViolations,
  wallTimeViolations,
} from './support/architecture-rules.ts';
import { importsOf, readSources, type SourceTree } from './support/source-tree.ts';

const sources = readSources('src');
const plans = [...sources.keys()].filter((path) => /^src\/kinds\/[^/]+\/(?:plan\/)?plan\.ts$/.test(path));

/** Our sources with one more file. */
function planted(path: string, text: string): SourceTree {
  return new Map([...sources, [path, text]]);
}

describe('layers import downwards only', () => {
  it('holds for our sources', () => {
    expect(layerViolations(sources)).toEqual([]);
  });

  it.each([
    { path: 'src/runtime/x.ts', imports: '../workload/pods.ts', refused: 'runtime must not know workload' },
    {
      path: 'src/runtime/deep/x.ts',
      imports: '../../kinds/my-deployment/names.ts',
      refused: 'runtime must not know kinds',
    },
    { path: 'src/workload/x.ts', imports: '../kinds/my-deployment/names.ts', refused: 'workload must not know kinds' },
    { path: 'src/kinds/imooc-pod/x.ts', imports: '../my-deployment/names.ts', refused: 'a kind must not know another' },
    { path: 'src/cluster/x.ts', imports: '../operator/crd.ts', refused: 'cluster must not know operator' },
    { path: 'src/kinds/my-deployment/x.ts', imports: '../../main.ts', refused: 'entry points' },
    { path: 'src/workload/x.ts', imports: '../../test/support/fake-clock.ts', refused: 'workload must not know test' },
    { path: 'src/attic/x.ts', imports: '../runtime/object.ts', refused: 'no rule names: attic' },
  ])('refuses $imports in $path', ({ path, imports, refused }) => {
    const statements = [
      `import { x } from '${imports}';`,
      `import type { X } from '${imports}';`,
      `export * from '${imports}';`,
      `import '${imports}';`,
      `const x = await import('${imports}');`,
      `import {\n  x,\n  y,\n} from '${imports}';`,
    ];
    for (const statement of statements) {
      expect(layerViolations(planted(path, statement))).toEqual([expect.stringContaining(refused)]);
    }
  });
});

describe('what a plan runs is pure', () => {
  it('holds for every plan of ours', () => {
    expect(purityViolations(sources, plans)).toEqual([]);
  });

  it.each([
    { text: 'export const t = Date.now();', says: 'reads the clock' },
    { text: 'export const t = new Date();', says: 'reads the clock' },
    { text: 'export const n = Math.random();', says: 'uses randomness' },
    { text: 'export const e = process.env.HOME;', says: 'reads the process or its environment' },
    { text: "export const f = () => console.log('x');", says: 'writes a log' },
    { text: "export const f = (log) => log.info('x');", says: 'writes a log' },
    { text: 'export const f = () => setTimeout(() => {}, 1);', says: 'sets a timer' },
    { text: "export const f = () => import('./x.ts');", says: 'is asynchronous' },
    { text: 'export async function f() {}', says: 'is asynchronous' },
    { text: "import { readFileSync } from 'node:fs';", says: 'imports node:fs' },
    { text: "import { Agent } from 'undici';", says: 'imports undici' },
  ])('catches "$text", in the plan or in a file that it imports', ({ text, says }) => {
    const plan = 'src/kinds/some-kind/plan.ts';
    expect(purityViolations(planted(plan, text), [plan])).toEqual([`${plan} ${says}`]);

    const deep = new Map([
      ...planted(plan, "import { step } from './rolling.ts';"),
      ['src/kinds/some-kind/rolling.ts', "import {\n  type A,\n  b,\n} from '../../workload/planted.ts';"],
      ['src/workload/planted.ts', text],
    ]);
    expect(purityViolations(deep, [plan])).toEqual([`src/workload/planted.ts ${says}`]);
  });

  it('lets types come from anywhere, and words stand in comments', () => {
    const text = [
      "import type { V1Pod } from '@kubernetes/client-node';",
      "import { type V1Node, type V1Lease } from '@kubernetes/client-node';",
      '// Date.now() is what a caller passes',
      '/* process.env, await */',
      'export const parsed = new Date(0);',
    ].join('\n');
    expect(purityViolations(planted('src/kinds/some-kind/plan.ts', text), ['src/kinds/some-kind/plan.ts'])).toEqual([]);
  });
});

describe('the page of the dashboard runs in a browser', () => {
  it('holds for our sources', () => {
    expect(pageViolations(sources)).toEqual([]);
  });

  it.each([
    { path: 'src/kubectl/dashboard/page/route.ts', imports: 'node:fs', refused: 'which no browser has' },
    {
      path: 'src/kubectl/duration.ts',
      imports: 'yaml',
      refused: 'src/kubectl/duration.ts imports yaml, which no browser',
    },
    {
      path: 'src/kubectl/dashboard/dashboard.ts',
      imports: './page/route.ts',
      refused: 'only the build takes the page',
    },
  ])('refuses $imports in $path', ({ path, imports, refused }) => {
    const text = `${sources.get(path)}\nimport { x } from '${imports}';`;
    expect(pageViolations(planted(path, text))).toEqual([expect.stringContaining(refused)]);
  });
});

describe('tests use what operators of other people test with', () => {
  const tests = readSources('test');

  it('holds for our tests', () => {
    expect(testingViolations(tests)).toEqual([]);
  });

  it.each([
    { path: 'test/e2e/x.cluster.test.ts', imports: '../../src/cluster/ports.ts' },
    { path: 'test/e2e/scene.ts', imports: '../../src/cluster/kubectl.ts' },
    { path: 'test/kinds/imooc-pod/x.cluster.test.ts', imports: '../../../src/testing/place.ts' },
  ])('refuses $imports in $path', ({ path, imports }) => {
    const text = `${tests.get(path) ?? ''}\nimport type { x } from '${imports}';`;
    expect(testingViolations(new Map([...tests, [path, text]]))).toEqual([expect.stringContaining(path)]);
  });
});

describe('the time of day is read through its port', () => {
  it('holds for our sources', () => {
    expect(wallTimeViolations(sources)).toEqual([]);
  });

  it.each(['const t = Date.now();', 'const t = new Date();'])('catches "%s"', (text) => {
    expect(wallTimeViolations(planted('src/runtime/x.ts', text))).toEqual([
      expect.stringContaining('src/runtime/x.ts'),
    ]);
  });
});

describe('the reader of imports', () => {
  it('sees every form, and which of them are erased', () => {
    const text = [
      "import './a.ts';",
      "import b, { type C } from './b.ts';",
      "import { type D } from './d.ts';",
      "import type { E } from '../e.ts';",
      "export { f } from 'pkg';",
      "const g = () => import('./g.ts');",
    ].join('\n');
    expect(importsOf('src/x/y.ts', text)).toEqual([
      { target: 'src/x/a.ts', typeOnly: false, onDemand: false },
      { target: 'src/x/b.ts', typeOnly: false, onDemand: false },
      { target: 'src/x/d.ts', typeOnly: true, onDemand: false },
      { target: 'src/e.ts', typeOnly: true, onDemand: false },
      { target: 'pkg', typeOnly: false, onDemand: false },
      { target: 'src/x/g.ts', typeOnly: false, onDemand: true },
    ]);
  });
});
