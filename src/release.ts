// `make release`: everything that a release has, into dist/release, with checksums. The same commit gives the same bytes.

import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import packageJson from '../package.json' with { type: 'json' };
import { assemble, partSources } from './image/assemble.ts';
import { operatorBundle, operatorLayer, SBOM } from './image/operator-layer.ts';
import { pins } from './image/pins.ts';
import { ARCHITECTURES, sha256Of } from './oci/image.ts';
import { writeTar } from './oci/tar.ts';
import { type Entry, file } from './oci/tree.ts';
import { krewManifest, type PluginArchive } from './release/krew.ts';
import { packedEntries } from './release/packed.ts';
import { pluginFiles, pluginPayload } from './release/single-executable.ts';

const { name, version } = packageJson;
const OUT = 'dist/release';

function npm(...args: string[]): void {
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function write(path: string, content: Buffer | string): void {
  writeFileSync(join(OUT, path), content);
}

function archive(entries: readonly Entry[]): Buffer {
  return gzipSync(writeTar(entries), { level: 9 });
}

async function writeImage(): Promise<void> {
  await assemble(`${name}:${version}`, OUT, process.env);
  const bundle = await operatorBundle();
  for (const architecture of ARCHITECTURES) {
    const sbom = (await operatorLayer(bundle, pins, architecture)).find(({ path }) => path === SBOM);
    if (sbom?.type !== 'file') throw new Error(`the image has no ${SBOM}`);
    write(`sbom-${architecture}.cdx.json`, sbom.content);
  }
}

function writeChart(): void {
  const paths = globSync(`${name}/**/*.*`, { cwd: 'charts' });
  const entries = paths.map((path) => file(path, readFileSync(join('charts', path))));
  write(`${name}-chart-${version}.tgz`, archive(entries));
}

function writePackage(): void {
  npm('pack', '--silent', '--pack-destination', OUT);
  const path = `${name}-${version}.tgz`;
  write(path, archive(packedEntries(readFileSync(join(OUT, path)))));
}

async function writePlugin(url: string): Promise<void> {
  const payload = await pluginPayload();
  const sources = partSources(process.env);
  const archives: PluginArchive[] = [];
  for (const pin of pins.node) {
    const content = archive(await pluginFiles(payload, pin, sources));
    const path = `kubectl-md-linux-${pin.architecture}.tar.gz`;
    write(path, content);
    archives.push({ os: 'linux', arch: pin.architecture, name: path, sha256: sha256Of(content) });
  }
  write('md.yaml', krewManifest(version, url, archives));
}

function writeChecksums(): string[] {
  const paths = readdirSync(OUT).sort();
  write('SHA256SUMS', paths.map((path) => `${sha256Of(readFileSync(join(OUT, path)))}  ${path}\n`).join(''));
  return paths;
}

async function main(): Promise<void> {
  const url = process.env.RELEASE_URL || `https://example.com/${name}/v${version}`;
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  npm('run', '--silent', 'synth');
  copyFileSync('dist/install.yaml', join(OUT, 'install.yaml'));
  writeChart();
  writePackage();
  await writeImage();
  await writePlugin(url);
  for (const path of writeChecksums()) {
    console.log(`  - ${OUT}/${path} (${(statSync(join(OUT, path)).size / 1e6).toFixed(2)} MB)`);
  }
  console.log(`  - ${OUT}/SHA256SUMS`);
}

await main().catch((error: Error) => {
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
});
