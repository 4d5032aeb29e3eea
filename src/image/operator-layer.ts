// The image's second layer: the bundled operator, everything that the bundler writes beside it, the licence, and the bill
// of materials.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { buildBundle } from '../build/bundle.ts';
import { bundledFiles } from '../build/licenses.ts';
import type { Architecture } from '../oci/image.ts';
import { type Entry, file, treeOf } from '../oci/tree.ts';
import { bundledPackages, type NpmPackage } from './bundled-packages.ts';
import type { Pins } from './pins.ts';
import { sbomOf } from './sbom.ts';

/** Where the bill of materials is in the image. */
export const SBOM = 'operator/sbom.cdx.json';

/** The bundle, made once, and the packages in it: the same for every architecture. */
export interface OperatorBundle {
  readonly files: readonly Entry[];
  readonly packages: readonly NpmPackage[];
}

/** Bundles the operator. */
export async function operatorBundle(): Promise<OperatorBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'operator-bundle-'));
  try {
    const metafile = await buildBundle('src/main.ts', join(folder, 'operator.mjs'));
    const names = await readdir(folder);
    const files = await Promise.all(
      names.map(async (name) => file(`operator/${name}`, await readFile(join(folder, name)))),
    );
    return { files, packages: await bundledPackages(bundledFiles(metafile)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The layer for an architecture: only the bill of materials differs. */
export async function operatorLayer(bundle: OperatorBundle, pins: Pins, architecture: Architecture): Promise<Entry[]> {
  const { name, version, license } = packageJson;
  const sbom = sbomOf({ operator: { name, version, license }, packages: bundle.packages, pins, architecture });
  return treeOf([...bundle.files, file('operator/LICENSE', await readFile('LICENSE')), file(SBOM, sbom)]);
}
