// Builds a component from its Go module, for machines that reach only package registries. go.sum and Go's checksum database
// take the place of the release's checksum.

import { join } from 'node:path';
import { type Component, goPackage, linkerFlags, type Release } from './component.ts';
import { type Go, moduleDirectory } from './go-module.ts';
import type { Activity } from './progress.ts';
import { run } from './run.ts';
import type { BinarySettings } from './settings.ts';

export interface BuildOptions {
  readonly settings: BinarySettings;
  /** A scratch directory of the caller's. */
  readonly work: string;
  readonly report: (activity: Activity) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The input of `go build`. */
export interface Build {
  /** The name of the program. */
  readonly name: string;
  readonly package: string;
  readonly linkerFlags: string;
}

/** Builds a component into the work directory and resolves with its path. */
export function goBuild(component: Component, release: Release, options: BuildOptions): Promise<string> {
  const build = { name: component, package: goPackage(component), linkerFlags: linkerFlags(release) };
  return goBuildIn((go) => moduleDirectory(release, options.settings.cacheDir, go), build, options);
}

/** Builds a package of the module in a directory, which is made ready first. */
export async function goBuildIn(
  prepare: (go: Go) => Promise<string>,
  build: Build,
  options: BuildOptions,
): Promise<string> {
  const { settings, work, report, signal } = options;
  let fetched = 0;
  const go = (directory: string, args: readonly string[], onLine = countFetched): Promise<string> =>
    run(settings.go, args, { cwd: directory, environment: goEnvironment(settings, work), signal, onLine });
  function countFetched(line: string): void {
    if (line.startsWith('go: downloading ')) report({ step: 'resolving', done: ++fetched });
  }

  report({ step: 'resolving', done: 0 });
  const directory = await prepare(go);
  const flags = ['-mod=readonly', '-trimpath', '-buildvcs=false', `-ldflags=${build.linkerFlags}`];
  const stale = '{{if .Stale}}{{.ImportPath}}{{end}}';
  const listed = await go(directory, ['list', ...flags, '-deps', '-f', stale, build.package]);

  const total = listed.split('\n').filter((line) => line !== '').length;
  let done = 0;
  report({ step: 'building', done, total });
  const path = join(work, build.name);
  // With -v, Go names each package when it has been compiled.
  await go(directory, ['build', ...flags, '-v', '-o', path, build.package], (line) => {
    if (!line.startsWith('go: ')) report({ step: 'building', done: ++done, total });
  });
  return path;
}

/** Static binaries, no Go workspace, and temporary files in the work directory, which is removed. */
function goEnvironment(settings: BinarySettings, work: string): NodeJS.ProcessEnv {
  const [GOOS, GOARCH] = settings.platform.split('/');
  return { ...settings.environment, CGO_ENABLED: '0', GOWORK: 'off', GOTMPDIR: work, GOOS, GOARCH };
}
