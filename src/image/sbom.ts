// The image's bill of materials, in CycloneDX: the operator, the npm packages in its bundle, Node, and Debian's packages.
// Pure, and without a time or a random number in it: the same parts give the same bytes.

import type { Architecture } from '../oci/image.ts';
import type { NpmPackage } from './bundled-packages.ts';
import type { DebianPin, NodePin, Pins } from './pins.ts';

export interface Contents {
  readonly operator: NpmPackage;
  readonly packages: readonly NpmPackage[];
  readonly pins: Pins;
  readonly architecture: Architecture;
}

/** The document, as text. */
export function sbomOf({ operator, packages, pins, architecture }: Contents): string {
  const ours = ({ architecture: of }: { readonly architecture: Architecture }): boolean => of === architecture;
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...npmComponent(operator), type: 'application' } },
    components: [
      ...packages.map(npmComponent),
      ...pins.node.filter(ours).map(nodeComponent),
      ...pins.debian.filter(ours).map((pin) => debianComponent(pin, pins.suite)),
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function npmComponent({ name, version, license }: NpmPackage): object {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', 'bom-ref': purl, name, version, licenses: [{ expression: license }], purl };
}

function nodeComponent({ name, version, sha256 }: NodePin): object {
  const purl = `pkg:npm/${name}@${version}`;
  return {
    type: 'application',
    'bom-ref': purl,
    name: 'node',
    version,
    hashes: hashes(sha256),
    licenses: licensesIn('/usr/share/doc/node/copyright'),
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl,
  };
}

function debianComponent({ name, version, architecture, sha256 }: DebianPin, suite: string): object {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=${suite}`;
  const licenses = licensesIn(`/usr/share/doc/${name}/copyright`);
  return { type: 'library', 'bom-ref': purl, name, version, hashes: hashes(sha256), licenses, purl };
}

/** The hash of the archive that the files come from. */
function hashes(sha256: string): object[] {
  return [{ alg: 'SHA-256', content: sha256 }];
}

function licensesIn(file: string): object[] {
  return [{ license: { name: `see ${file}` } }];
}
