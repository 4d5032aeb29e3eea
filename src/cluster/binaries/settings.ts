// The sources of the cluster's binaries. Main programs read them from the environment, once. Pure; an invalid value is an error
// that names it, never a silent default.

import { isAbsolute, join } from 'node:path';
import { DEFAULT_VERSIONS, type Release, type ReleaseName } from './component.ts';
import { KNOWN_CHECKSUMS } from './known-checksums.ts';

/** Timeouts and tries of a download. */
export interface DownloadLimits {
  /** A host that has not begun to answer by then counts as out of reach. */
  readonly answerMs: number;
  /** A transfer without a byte for this long counts as cut. */
  readonly stallMs: number;
  /** Tries for one file, the first included. */
  readonly attempts: number;
  /** Pause before the second try; doubles with each further one. */
  readonly backoffMs: number;
}

export interface BinarySettings {
  readonly kubeVersion: string;
  readonly etcdVersion: string;
  readonly kwokVersion: string;
  /** A directory of ready binaries, complete or not: KUBEBUILDER_ASSETS. */
  readonly assetsDir?: string;
  readonly cacheDir: string;
  readonly kubeBaseUrl: string;
  readonly etcdBaseUrl: string;
  readonly kwokBaseUrl: string;
  /** kwok publishes no checksum files; GitHub's description of its releases carries the digests. */
  readonly kwokDigestUrl: string;
  /** Checksums that count more than published ones; see known-checksums.ts. */
  readonly checksums: Readonly<Record<string, string>>;
  readonly download: 'auto' | 'never';
  /** `quick` compares size and time of change on each start, `full` reads every cached byte again. */
  readonly verify: 'quick' | 'full';
  readonly limits: DownloadLimits;
  /** The Go command, a path or a name to find on PATH. */
  readonly go: string;
  /** As Go names them: linux/amd64. */
  readonly platform: string;
  /** What child processes (go, tar) run with. */
  readonly environment: NodeJS.ProcessEnv;
}

export interface Host {
  readonly platform: string;
  readonly arch: string;
}

const LIMITS: DownloadLimits = { answerMs: 5_000, stallMs: 30_000, attempts: 6, backoffMs: 500 };
const VERSION = /^v?(\d+\.\d+\.\d+(?:-[0-9a-z.]+)?)$/;

/** Reads the settings from environment variables. */
export function binarySettings(env: NodeJS.ProcessEnv, host: Host = process): BinarySettings {
  return {
    kubeVersion: version(env, 'KUBE_VERSION', DEFAULT_VERSIONS.kubernetes),
    etcdVersion: version(env, 'MYDEPLOYMENT_ETCD_VERSION', DEFAULT_VERSIONS.etcd),
    kwokVersion: version(env, 'MYDEPLOYMENT_KWOK_VERSION', DEFAULT_VERSIONS.kwok),
    ...(env.KUBEBUILDER_ASSETS ? { assetsDir: env.KUBEBUILDER_ASSETS } : {}),
    cacheDir: join(cacheHome(env), 'mydeployment'),
    kubeBaseUrl: baseUrl(env, 'MYDEPLOYMENT_KUBE_URL', 'https://dl.k8s.io'),
    etcdBaseUrl: baseUrl(env, 'MYDEPLOYMENT_ETCD_URL', 'https://github.com/etcd-io/etcd/releases/download'),
    kwokBaseUrl: baseUrl(env, 'MYDEPLOYMENT_KWOK_URL', 'https://github.com/kubernetes-sigs/kwok/releases/download'),
    kwokDigestUrl: baseUrl(
      env,
      'MYDEPLOYMENT_KWOK_DIGEST_URL',
      'https://api.github.com/repos/kubernetes-sigs/kwok/releases/tags',
    ),
    checksums: KNOWN_CHECKSUMS,
    download: choice(env, 'MYDEPLOYMENT_DOWNLOAD', ['auto', 'never']),
    verify: choice(env, 'MYDEPLOYMENT_VERIFY', ['quick', 'full']),
    limits: LIMITS,
    go: env.MYDEPLOYMENT_GO || 'go',
    platform: `${host.platform}/${host.arch === 'x64' ? 'amd64' : host.arch}`,
    environment: env,
  };
}

/** The release of this name in the version that the settings ask for. */
export function releaseOf(name: ReleaseName, settings: BinarySettings): Release {
  const versions = { kubernetes: settings.kubeVersion, etcd: settings.etcdVersion, kwok: settings.kwokVersion };
  return { name, version: versions[name] };
}

function version(env: NodeJS.ProcessEnv, variable: string, fallback: string): string {
  const value = env[variable] || fallback;
  const match = VERSION.exec(value);
  if (match?.[1] === undefined) throw invalid(variable, value, `a version such as ${fallback} or v${fallback}`);
  return match[1];
}

/** Relative paths are to be ignored, says the XDG base directory specification. */
function cacheHome(env: NodeJS.ProcessEnv): string {
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return env.XDG_CACHE_HOME;
  if (env.HOME) return join(env.HOME, '.cache');
  throw new Error('cannot tell where to keep binaries: neither XDG_CACHE_HOME nor HOME is set');
}

function baseUrl(env: NodeJS.ProcessEnv, variable: string, fallback: string): string {
  const value = env[variable] || fallback;
  const protocol = URL.parse(value)?.protocol;
  if (protocol !== 'http:' && protocol !== 'https:') throw invalid(variable, value, 'an http or https URL');
  return value.replace(/\/+$/, '');
}

function choice<T extends string>(env: NodeJS.ProcessEnv, variable: string, choices: readonly [T, ...T[]]): T {
  const value = env[variable] || choices[0];
  const chosen = choices.find((option) => option === value);
  if (chosen === undefined) throw invalid(variable, value, choices.join(' or '));
  return chosen;
}

function invalid(variable: string, value: string, expected: string): Error {
  return new Error(`${variable}: expected ${expected}, got ${JSON.stringify(value)}`);
}
