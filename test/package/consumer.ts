// A cdk8s app of somebody else that uses our package as npm packs it: a folder of its own, in which nothing of this
// repository is to be found but what is in the tarball. Other packages come from here instead of a registry.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildLibrary } from '../../src/build/library.ts';

const run = promisify(execFile);

/** What a person who writes ES modules, or CommonJS, has in package.json. */
export type ModuleType = 'module' | 'commonjs';

/** Packs the package as it is published, and returns the tarball's path. */
export async function pack(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  for (const path of ['package.json', 'LICENSE', 'crds', 'manifests', 'templates']) {
    cpSync(path, join(folder, path), { recursive: true });
  }
  await buildLibrary(join(folder, 'dist'));
  // Built a line above, and not in the repository, which others may be working with.
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts'], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
}

/** Makes an app of this source in `folder`, with the tarball installed, and with all that it depends on or the peers only. */
export async function createApp(
  folder: string,
  type: ModuleType,
  tarball: string,
  source: string,
  beside: 'everything' | 'peers' = 'everything',
): Promise<void> {
  await unpack(folder, tarball, beside);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type }));
  writeFileSync(join(folder, 'cdk8s.yaml'), 'language: typescript\napp: node main.js\n');
  writeFileSync(join(folder, 'main.ts'), source);
}

/** Puts the package into `node_modules` of the folder, with all that it depends on or its peers only. */
export async function unpack(folder: string, tarball: string, beside: 'everything' | 'peers'): Promise<void> {
  const installed = join(folder, 'node_modules', 'mydeployment');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const others = beside === 'everything' ? { ...dependencies, '@types/node': '' } : {};
  for (const name of Object.keys({ ...others, ...peerDependencies })) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve('node_modules', name), link);
  }
}

/** Checks the types of the app, all declarations that it loads included, and compiles it; resolves with the complaints. */
export async function compile(folder: string, module: 'nodenext' | 'commonjs'): Promise<string> {
  const resolution = module === 'nodenext' ? 'nodenext' : 'bundler';
  const flags = [
    '--strict',
    '--target',
    'es2022',
    '--module',
    module,
    '--moduleResolution',
    resolution,
    '--types',
    'node',
  ];
  return compileWith(folder, [...flags, 'main.ts']);
}

/** Runs the compiler with these arguments; resolves with the complaints. */
export async function compileWith(folder: string, args: readonly string[]): Promise<string> {
  try {
    await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...args], { cwd: folder });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

/** Synthesizes the compiled app, which writes its manifests to `dist`, as its author would. */
export async function synth(folder: string): Promise<void> {
  const cdk8s = resolve('node_modules/.bin/cdk8s');
  await run(process.execPath, [cdk8s, 'synth', '--no-check-upgrade'], { cwd: folder });
}
