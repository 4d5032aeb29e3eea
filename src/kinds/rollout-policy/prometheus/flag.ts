// The operator's flag that names the Prometheus servers which gates may ask: `--prometheus NAME=URL[,ca=FILE][,token-file=FILE]`.
// Only who runs the operator says where requests go; a policy has no more than a name.

import { isDnsLabel } from '../../../runtime/dns-label.ts';
import type { KindFlag } from '../../../runtime/operator/flags.ts';

export interface PrometheusServer {
  readonly name: string;
  /** Without a slash at its end. */
  readonly url: string;
  /** A file with the certificates to trust, instead of those of the system. */
  readonly caFile?: string;
  /** A file with a bearer token, read again for each request. */
  readonly tokenFile?: string;
}

const NAME = 'prometheus';
const OPTIONS = { ca: 'caFile', 'token-file': 'tokenFile' } as const;
type Option = keyof typeof OPTIONS;

export const prometheusFlag: KindFlag = {
  name: NAME,
  value: 'NAME=URL[,ca=FILE][,token-file=FILE]',
  help: 'a Prometheus server that gates of RolloutPolicies may query; can be repeated (default none)',
  check: (values) => {
    parseServers(values);
  },
};

/** The servers by name; throws with the flag and the value that cannot be used. */
export function parseServers(values: readonly string[]): ReadonlyMap<string, PrometheusServer> {
  const servers = new Map<string, PrometheusServer>();
  for (const value of values) {
    const server = parseServer(value);
    if (servers.has(server.name)) refuse(value, `there are two servers called "${server.name}"`);
    servers.set(server.name, server);
  }
  return servers;
}

/** What is said of a server that no flag names. */
export function unknownServer(name: string, known: readonly string[]): string {
  const others = known.length === 0 ? 'it knows none' : `it knows ${known.join(', ')}`;
  return `the operator knows no Prometheus server "${name}" (--${NAME}), ${others}`;
}

function parseServer(value: string): PrometheusServer {
  const [address = '', ...options] = value.split(',');
  const [name, url] = pair(address);
  if (url === undefined) refuse(value, 'must be NAME=URL[,ca=FILE][,token-file=FILE]');
  if (!isDnsLabel(name)) refuse(value, `no server can be called "${name}", use a-z, 0-9 and dashes`);
  const server = { name, url: urlOf(value, url) };
  const files = options.map((option) => fileOf(value, option));
  const twice = files.find(([key], index) => files.findIndex(([other]) => other === key) !== index);
  if (twice !== undefined) refuse(value, `${twice[0]} is given twice`);
  if (files.length > 0 && !url.startsWith('https:')) refuse(value, 'ca and token-file need an https URL');
  return { ...server, ...Object.fromEntries(files.map(([key, file]) => [OPTIONS[key], file])) };
}

function urlOf(value: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) refuse(value, `"${text}" is no http or https URL`);
  if (url.username || url.password) refuse(value, 'the URL must not contain a password, use token-file');
  if (url.search || url.hash) refuse(value, 'the URL must not have a query or a fragment');
  return url.href.replace(/\/+$/, '');
}

function fileOf(value: string, option: string): readonly [Option, string] {
  const [key, file] = pair(option);
  if (!(key in OPTIONS)) refuse(value, `there is no option "${key}", only ${Object.keys(OPTIONS).join(' and ')}`);
  if (!file) refuse(value, `${key} needs a file`);
  return [key as Option, file];
}

function pair(text: string): readonly [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function refuse(value: string, problem: string): never {
  throw new Error(`--${NAME}: ${problem}, got ${JSON.stringify(value)}`);
}
