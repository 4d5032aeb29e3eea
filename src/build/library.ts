// Builds what other cdk8s apps import: src/index.ts as an ES module and as CommonJS, which most cdk8s apps still are, each
// with its own declarations, so that types resolve the way the code does.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { build } from 'esbuild';

const FORMATS = { esm: 'module', cjs: 'commonjs' } as const;

/** Every import of another file of ours. */
const RELATIVE = /(?<=\bfrom ['"]|\bimport\(['"])(\.{1,2}\/[^'"]+)\.ts(?=['"])/g;

/** Writes `esm/` and `cjs/` into `outdir`. */
export async function buildLibrary(outdir: string): Promise<void> {
  const declarations = emitDeclarations();
  for (const format of ['esm', 'cjs'] as const) {
    const folder = join(outdir, format);
    rmSync(folder, { recursive: true, force: true });
    await build({
      entryPoints: ['src/index.ts'],
      outfile: join(folder, 'index.js'),
      format,
      bundle: true,
      packages: 'external',
      platform: 'node',
      target: 'node20',
      logLevel: 'warning',
    });
    for (const [path, text] of declarations) write(join(folder, path), text);
    write(join(folder, 'package.json'), `${JSON.stringify({ type: FORMATS[format] })}\n`);
  }
}

/** The declarations that src/index.ts needs, by their path from src. */
function emitDeclarations(): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    const tsc = 'node_modules/typescript/bin/tsc';
    execFileSync(process.execPath, [tsc, '-p', 'src/build/library.tsconfig.json', '--outDir', folder], {
      stdio: 'inherit',
    });
    return reachable('index.d.ts', (path) => readFileSync(join(folder, 'src', path), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A file and all that it imports, without the many that only the implementation needs. */
function reachable(path: string, read: (path: string) => string, found = new Map<string, string>()): typeof found {
  if (found.has(path)) return found;
  const text = read(path);
  found.set(path, text.replaceAll(RELATIVE, '$1.js'));
  for (const [, target] of text.matchAll(RELATIVE)) {
    reachable(posix.join(posix.dirname(path), `${target}.d.ts`), read, found);
  }
  return found;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
