// The Go module from which a release is built. For the default versions it is committed under `modules/`, with every
// dependency pinned by go.sum; for another version the same text is made from that version's own go.mod and tidied
// into the cache. The `tool` lines keep the packages to build among the module's requirements.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  COMPONENTS,
  DEFAULT_VERSIONS,
  goModule,
  goPackage,
  NODE_COMPONENTS,
  type Release,
  releaseName,
} from './component.ts';

/** Runs a go subcommand in a directory. */
export type Go = (directory: string, args: readonly string[]) => Promise<string>;

const MODULES = fileURLToPath(new URL('modules/', import.meta.url));

/** The text of a go.mod that builds a release, given the go.mod which that release itself was made with. */
export function moduleFile(release: Release, upstream: string): string {
  const goVersion = /^go (\S+)$/m.exec(upstream)?.[1];
  if (goVersion === undefined) throw new Error(`the go.mod of ${release.name} v${release.version} has no go line`);
  const tools = toolsOf(release);
  const staged = release.name === 'kubernetes' ? stagingModules(upstream) : [];
  const stagedVersion = release.version.replace(/^1\./, 'v0.');
  const replacements = staged.map((path) => `${path} => ${path} ${stagedVersion}`);
  return [
    `module mydeployment/binaries/${release.name}`,
    `go ${goVersion}`,
    block('tool', tools),
    block('require', [`${goModule(release.name)} v${release.version}`]),
    ...(replacements.length > 0 ? [block('replace', replacements)] : []),
  ].join('\n\n');
}

/** The packages that are built from a release. */
function toolsOf(release: Release): string[] {
  return [...COMPONENTS, ...NODE_COMPONENTS].filter((each) => releaseName(each) === release.name).map(goPackage);
}

function block(verb: string, lines: readonly string[]): string {
  return `${verb} (\n${lines.map((line) => `\t${line}\n`).join('')})`;
}

/** Kubernetes develops k8s.io/api and its siblings in its own tree; outside of it their published versions are used. */
function stagingModules(upstream: string): string[] {
  return [...upstream.matchAll(/^\s*(?:replace )?(\S+) => \.\/staging\/\S+$/gm)].flatMap((match) => match[1] ?? []);
}

/** Writes go.mod and go.sum for a release into an empty directory; this is also how `modules/` is renewed. */
export async function writeModule(release: Release, directory: string, go: Go): Promise<void> {
  const published = `${goModule(release.name)}@v${release.version}`;
  const description = await go(directory, ['mod', 'download', '-json', published]);
  const { GoMod: upstream } = JSON.parse(description) as { readonly GoMod: string };
  await writeFile(join(directory, 'go.mod'), moduleFile(release, await readFile(upstream, 'utf8')));
  await go(directory, ['mod', 'tidy']);
}

/** The directory to build a release in, committed or made under `cacheDir`. */
export async function moduleDirectory(release: Release, cacheDir: string, go: Go): Promise<string> {
  if (release.version === DEFAULT_VERSIONS[release.name]) return join(MODULES, release.name);
  const directory = join(cacheDir, 'modules', `${release.name}-v${release.version}`);
  // Names what the module was tidied for: one that an older checkout made may lack requirements of newer programs.
  const complete = join(directory, 'complete');
  const tools = toolsOf(release).join('\n');
  if ((await readFile(complete, 'utf8').catch(() => undefined)) === tools) return directory;
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  await writeModule(release, directory, go);
  await writeFile(complete, tools);
  return directory;
}
