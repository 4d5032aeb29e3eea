// Programs that only tests use, each built from a Go module of its own under `tools/<name>/`: a published program, or a
// small one of ours (a main.go beside the go.mod). To add one: write its go.mod with a `tool` line or its main.go, run
// `go mod tidy` there, and name it here. go.mod decides on the version, go.sum pins every byte.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Source {
  /** The package to build: a published one, or `.` for the program in the folder. */
  readonly package: string;
  /** The published module, whose version is stamped into this variable of it. */
  readonly stamp?: { readonly module: string; readonly variable: string };
}

const SOURCES = {
  helm: {
    package: 'helm.sh/helm/v4/cmd/helm',
    stamp: { module: 'helm.sh/helm/v4', variable: 'helm.sh/helm/v4/internal/version.version' },
  },
  kstatus: { package: '.' },
  'argo-lua': { package: '.' },
  vpa: { package: '.' },
  'kube-state-metrics': {
    package: 'k8s.io/kube-state-metrics/v2',
    stamp: { module: 'k8s.io/kube-state-metrics/v2', variable: 'github.com/prometheus/common/version.Version' },
  },
} as const satisfies Record<string, Source>;

export type ToolName = keyof typeof SOURCES;
export const TOOL_NAMES = Object.keys(SOURCES) as ToolName[];

/** What is built, where, and what tells it from an earlier state of its sources. */
export interface Tool {
  readonly name: ToolName;
  readonly directory: string;
  readonly package: string;
  readonly linkerFlags: string;
  /** Changes with every byte of the sources: the program is built again, and the old one stays for older checkouts. */
  readonly version: string;
}

const TOOLS = fileURLToPath(new URL('tools/', import.meta.url));

/** A tool as its folder has it now. */
export function toolNamed(name: ToolName): Tool {
  const { package: built, stamp }: Source = SOURCES[name];
  const directory = join(TOOLS, name);
  const version = stamp && requiredVersion(readFileSync(join(directory, 'go.mod'), 'utf8'), stamp.module);
  const linkerFlags = ['-s -w', ...(stamp ? [`-X ${stamp.variable}=${version}`] : [])].join(' ');
  const sources = digestOf(directory, linkerFlags);
  return {
    name,
    directory,
    package: built,
    linkerFlags,
    version: version === undefined ? `0-${sources}` : `${version.slice(1)}-${sources}`,
  };
}

/** The version, with its v, that a go.mod requires of a module. */
export function requiredVersion(goMod: string, module: string): string {
  const line = goMod.split('\n').find((each) =>
    each
      .replace(/^require /, '')
      .trim()
      .startsWith(`${module} v`),
  );
  const version = line && /\s(v\S+)/.exec(line)?.[1];
  if (version === undefined) throw new Error(`go.mod requires no version of ${module}`);
  return version;
}

function digestOf(directory: string, linkerFlags: string): string {
  const hash = createHash('sha256').update(linkerFlags);
  for (const file of readdirSync(directory).sort()) {
    hash.update(`\0${file}\0`).update(readFileSync(join(directory, file)));
  }
  return hash.digest('hex').slice(0, 12);
}
