// The rules that keep the code the way design.md draws it: layers import downwards only, and whatever a plan runs
// is pure, and the time of day is read through one port. Each returns the violations as sentences; none means the rule holds.

import { importsOf, runsWith, type SourceTree, stripComments } from './source-tree.ts';

/** A layer is a folder of `src`; it may import itself and the layers named. Files right in `src` may import any. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  runtime: [],
  workload: ['runtime'],
  policy: ['runtime', 'workload'],
  kinds: ['runtime', 'workload', 'policy'],
  operator: ['runtime', 'kinds'],
  helm: ['runtime', 'kinds', 'operator'],
  kubectl: ['runtime', 'workload', 'policy', 'kinds'],
  oci: [],
  cluster: ['runtime', 'oci'],
  testing: ['runtime', 'cluster'],
  image: ['runtime', 'oci', 'cluster', 'build'],
  release: ['oci', 'build', 'image'],
  create: [],
  project: ['runtime', 'cluster', 'testing'],
  generate: ['runtime', 'kinds', 'create'],
  local: ['runtime', 'oci', 'cluster', 'image', 'operator'],
};

/** Every import that goes up or sideways. */
export function layerViolations(tree: SourceTree): string[] {
  return [...tree].flatMap(([path, source]) =>
    importsOf(path, source)
      .filter(({ target }) => target.startsWith('src/') || target.startsWith('test/'))
      .map(({ target }) => refusal(path, target))
      .filter((reason) => reason !== undefined),
  );
}

function refusal(path: string, target: string): string | undefined {
  const [from, to] = [placeOf(path), placeOf(target)];
  if (to.layer === undefined) return `${path} imports ${target}: only the programs right in src/ may be entry points`;
  if (from.layer === undefined) return undefined;
  if (from.layer === to.layer) {
    // The list of kinds, right in `kinds`, knows them all.
    const foreign = from.layer === 'kinds' && from.kind !== undefined && from.kind !== to.kind;
    return foreign ? `${path} imports ${target}: a kind must not know another kind` : undefined;
  }
  const allowed = LAYERS[from.layer];
  if (allowed === undefined) return `${path} is in a layer that no rule names: ${from.layer}`;
  return allowed.includes(to.layer) ? undefined : `${path} imports ${target}: ${from.layer} must not know ${to.layer}`;
}

function placeOf(path: string): { layer: string | undefined; kind: string | undefined } {
  const [root, layer, kind, ...rest] = path.split('/');
  if (root !== 'src') return { layer: root, kind: undefined };
  if (kind === undefined) return { layer: undefined, kind: undefined };
  return { layer, kind: rest.length > 0 ? kind : undefined };
}

/** What a pure function cannot say. Each with the reason that the message gives. */
const IMPURE: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bperformance\./, 'reads the clock'],
  [/\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b/, 'uses randomness'],
  [/\bprocess\./, 'reads the process or its environment'],
  [/\bconsole\.|\blog(?:ger)?\.(?:debug|info|warn|error)\(/, 'writes a log'],
  [/\bset(?:Timeout|Interval|Immediate)\b|\bqueueMicrotask\b/, 'sets a timer'],
  [/\bfetch\(/, 'does I/O'],
  [/\basync\b|\bawait\b|\bPromise\b|\bimport\(/, 'is asynchronous'],
];

/** Everything impure in the files that run when one of `roots` is imported, and every package that they load. */
export function purityViolations(tree: SourceTree, roots: readonly string[]): string[] {
  const files = new Set(roots.flatMap((root) => [...runsWith(root, tree)]));
  return [...files].flatMap((path) => {
    const source = tree.get(path) as string;
    const code = stripComments(source);
    const words = IMPURE.filter(([pattern]) => pattern.test(code)).map(([, what]) => `${path} ${what}`);
    const loads = importsOf(path, source)
      .filter(({ target, typeOnly }) => !typeOnly && !target.startsWith('src/'))
      .map(({ target }) => `${path} imports ${target}`);
    return [...words, ...loads];
  });
}

/** The page of the dashboard runs in a browser. */
const PAGE = 'src/kubectl/dashboard/page/';
const BROWSER_PACKAGES = /^preact(\/|$)/;

/** Whatever the page runs that a browser does not have, and every file outside of it that imports a part of the page. */
export function pageViolations(tree: SourceTree): string[] {
  const runs = runsWith(`${PAGE}main.tsx`, tree);
  const needs = [...runs].flatMap((path) =>
    importsOf(path, tree.get(path) as string)
      .filter(({ target, typeOnly }) => !typeOnly && !target.startsWith('src/') && !BROWSER_PACKAGES.test(target))
      .map(({ target }) => `${path} imports ${target}, which no browser has`),
  );
  const imported = [...tree].flatMap(([path, source]) =>
    importsOf(path, source)
      .filter(({ target }) => target.startsWith(PAGE) && !path.startsWith(PAGE))
      .map(({ target }) => `${path} imports ${target}: only the build takes the page`),
  );
  return [...needs, ...imported];
}

/** Where the time of day may be read: the port itself, and what compares it with certificates and files of the machine. */
const READS_WALL_TIME: readonly string[] = [
  'src/runtime/clock.ts',
  'src/cluster/pki.ts',
  'src/cluster/binaries/cache.ts',
];

/** Every file that reads the time of day by itself: it could measure a duration with it. */
export function wallTimeViolations(tree: SourceTree): string[] {
  return [...tree]
    .filter(
      ([path, source]) =>
        // A browser has no other clock for the ages that it shows.
        !READS_WALL_TIME.includes(path) &&
        !path.startsWith(PAGE) &&
        /\bDate\.now\b|\bnew Date\(\s*\)/.test(stripComments(source)),
    )
    .map(([path]) => `${path} reads the time of day; take a Clock or a WallClock (src/runtime/clock.ts)`);
}

/** What of the embedded cluster operators of other people have. */
const TESTING = 'src/testing/index.ts';

/** Tests of the cluster itself, the campaign that breaks one, and how tests get programs that no operator of other people is given. */
const BEHIND_TESTING = /^test\/(cluster\/|chaos\/|support\/(tools|terminal)\.ts$)/;

/** Whatever a test on an embedded cluster takes of it that operators of other people cannot have. */
export function testingViolations(tests: SourceTree): string[] {
  const roots = [...tests.keys()].filter((path) => path.endsWith('.cluster.test.ts') && !BEHIND_TESTING.test(path));
  const files = new Set(roots.flatMap((root) => [...runsWith(root, tests)]));
  return [...files]
    .filter((path) => !BEHIND_TESTING.test(path))
    .flatMap((path) =>
      importsOf(path, tests.get(path) as string)
        .filter(({ target }) => /^src\/(cluster|testing)\//.test(target) && target !== TESTING)
        .map(({ target }) => `${path} imports ${target}: a test takes what ${TESTING} exports`),
    );
}
