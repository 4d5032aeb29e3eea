// Builds the npm package. src/index.ts, for cdk8s apps, becomes an ES module and a CommonJS module, which most of these apps
// use, each with its own declarations, so that types resolve as the code does. src/runtime/index.ts, for operators, becomes an
// ES module only, because client-node is one.

import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { build, type Plugin } from 'esbuild';

const FORMATS = {
  esm: { type: 'module', entries: { index: 'src/index.ts', runtime: 'src/runtime/index.ts' } },
  cjs: { type: 'commonjs', entries: { index: 'src/index.ts' } },
} as const;

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
  for (const format of ['esm', 'cjs'] as const) {
    const { type, entries } = FORMATS[format];
    const folder = join(outdir, format);
    rmSync(folder, { recursive: true, force: true });
    await build({
      ...shared,
      entryPoints: { index: entries.index },
      outdir: folder,
      format,
      target: OLDEST_NODE,
      plugins: [withoutOperator],
    });
    if ('runtime' in entries) {
      await build({ ...shared, entryPoints: { runtime: entries.runtime }, outdir: folder, format, target: 'node22' });
    }
    for (const entry of Object.values(entries)) {
      const path = entry.replace('src/', '').replace('.ts', '.d.ts');
      for (const [each, text] of reachable(path, declarations)) write(join(folder, each), text);
    }
    write(join(folder, 'package.json'), `${JSON.stringify({ type })}\n`);
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
