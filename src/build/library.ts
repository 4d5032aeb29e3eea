// Builds the npm package. src/index.ts, for cdk8s apps, becomes an ES module and a CommonJS module, which most of these apps
// use, each with its own declarations, so that types resolve as the code does. What operators run and test with becomes ES modules
// only, because client-node is one; these share their code, so that an error of one is an error of the other, too.

import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { build, type Plugin } from 'esbuild';

const FORMATS = { esm: 'module', cjs: 'commonjs' } as const;

const CONSTRUCTS = { index: 'src/index.ts' };

/** What runs in operators and their tests, by its place in `esm/`. */
const OPERATORS = {
  cli: 'src/cli.ts',
  runtime: 'src/runtime/index.ts',
  testing: 'src/testing/index.ts',
  'testing/setup': 'src/testing/setup.ts',
  'testing/teardown': 'src/testing/teardown.ts',
};

/** The Go modules from which programs are built: the code reads them from a folder beside itself. */
const GO_MODULES = 'src/cluster/binaries/modules';

/** The oldest Node that cdk8s supports; the constructs run wherever it does. */
const OLDEST_NODE = 'node16';

/** What a kind runs in the operator is imported on demand, which constructs never do: it stays out of the package. */
const withoutOperator: Plugin = {
  name: 'without-operator',
  setup({ onResolve, onLoad }) {
    const namespace = 'operator';
    onResolve({ filter: /^\./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, namespace } : undefined));
    onLoad({ filter: /./, namespace }, () => ({ contents: "throw new Error('only the operator runs this');" }));
  },
};

/** Every import of another file of ours. */
const RELATIVE = /(?<=\bfrom ['"]|\bimport\(['"])(\.{1,2}\/[^'"]+)\.ts(?=['"])/g;

const shared = { bundle: true, packages: 'external', platform: 'node', logLevel: 'warning' } as const;

/** Writes `esm/` and `cjs/` into `outdir`. */
export async function buildLibrary(outdir: string): Promise<void> {
  const declarations = emitDeclarations();
  for (const [format, type] of Object.entries(FORMATS) as [keyof typeof FORMATS, string][]) {
    const folder = join(outdir, format);
    rmSync(folder, { recursive: true, force: true });
    await build({
      ...shared,
      entryPoints: CONSTRUCTS,
      outdir: folder,
      format,
      target: OLDEST_NODE,
      plugins: [withoutOperator],
    });
    writeDeclarations(folder, Object.values(CONSTRUCTS), declarations);
    write(join(folder, 'package.json'), `${JSON.stringify({ type })}\n`);
  }
  await buildForOperators(join(outdir, 'esm'));
  const { cli: _program, ...modules } = OPERATORS;
  writeDeclarations(join(outdir, 'esm'), Object.values(modules), declarations);
}

async function buildForOperators(outdir: string): Promise<void> {
  await build({
    ...shared,
    entryPoints: OPERATORS,
    outdir,
    format: 'esm',
    target: 'node22',
    splitting: true,
    // In one folder, from which the code finds its Go modules.
    chunkNames: '[name]-[hash]',
  });
  cpSync(GO_MODULES, join(outdir, 'modules'), { recursive: true });
}

function writeDeclarations(folder: string, entries: readonly string[], all: ReadonlyMap<string, string>): void {
  for (const entry of entries) {
    const path = entry.replace('src/', '').replace('.ts', '.d.ts');
    for (const [each, text] of reachable(path, all)) write(join(folder, each), text);
  }
}

/** The declarations of all that is exported and what that needs, by their path from src. */
function emitDeclarations(): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    const tsc = 'node_modules/typescript/bin/tsc';
    execFileSync(process.execPath, [tsc, '-p', 'src/build/library.tsconfig.json', '--outDir', folder], {
      stdio: 'inherit',
    });
    const paths = globSync('**/*.d.ts', { cwd: join(folder, 'src') });
    return new Map(paths.map((path) => [path, readFileSync(join(folder, 'src', path), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A file and all that it imports, without the many that only the implementation needs. */
function reachable(path: string, all: ReadonlyMap<string, string>, found = new Map<string, string>()): typeof found {
  if (found.has(path)) return found;
  const text = all.get(path);
  if (text === undefined) throw new Error(`there is no declaration ${path}`);
  found.set(path, text.replaceAll(RELATIVE, '$1.js'));
  for (const [, target] of text.matchAll(RELATIVE)) {
    reachable(posix.join(posix.dirname(path), `${target}.d.ts`), all, found);
  }
  return found;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
