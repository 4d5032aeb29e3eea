// Makes all generated files anew, in a copy of the tree that has none of them, and says which of the committed ones
// differ. The commands are those that people run.

import { execFile } from 'node:child_process';
import { cpSync, globSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** Content by path from the root of the tree. */
export type Files = ReadonlyMap<string, string>;

const run = promisify(execFile);

/** What `make generate` writes. */
export function generatedFiles(root: string): Files {
  const patterns = [
    'crds/*',
    'manifests/*',
    'charts/**/*.*',
    'docs/monitoring/*',
    'ecosystem/argo-cd/*.yaml',
    'src/**/*.gen.ts',
    'templates/**/*.gen.ts',
    'templates/version/**/*.schema.ts',
  ];
  const paths = globSync(patterns, { cwd: root });
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Copies what generation starts from into `folder` and generates there, as on a clean checkout. */
export async function generateAnew(folder: string): Promise<Files> {
  for (const file of ['cdk8s.yaml', 'package.json', 'tsconfig.json']) cpSync(file, join(folder, file));
  const filter = (path: string): boolean => !/\.gen\.ts$|^templates\/version\/.*\.schema\.ts$/.test(path);
  for (const tree of ['src', 'templates']) cpSync(tree, join(folder, tree), { recursive: true, filter });
  const argoCd = 'ecosystem/argo-cd/resource_customizations';
  cpSync(argoCd, join(folder, argoCd), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  await run('npm', ['run', '--silent', 'synth'], { cwd: folder });
  await run('npm', ['run', '--silent', 'generate'], { cwd: folder });
  return generatedFiles(folder);
}

/** One sentence for each file that is not as generation makes it. */
export function drift(committed: Files, fresh: Files): string[] {
  const paths = [...new Set([...committed.keys(), ...fresh.keys()])].sort();
  return paths.flatMap((path) => {
    if (!fresh.has(path)) return [`${path} is no longer generated: delete it`];
    if (!committed.has(path)) return [`${path} is missing: run \`make generate\` and commit it`];
    if (committed.get(path) !== fresh.get(path)) return [`${path} is out of date: run \`make generate\` and commit it`];
    return [];
  });
}
