// The command line of an operator, with the flags that kubebuilder people know. Bad values are refused with the flag
// and the value, before anything is started.

import { parseArgs } from 'node:util';
import { isDnsLabel } from '../dns-label.ts';
import type { Level } from '../log.ts';
import { parseAddress } from '../server/address.ts';
import { MOST_SHARDS } from '../shards/range.ts';

/** The command line, read. */
export interface OperatorFlags {
  /** Where metrics are served: `:8443`, `127.0.0.1:8080`, or `0` for nowhere. */
  readonly metricsAddress: string;
  readonly healthAddress: string;
  readonly webhookPort: number;
  /**
   * A folder with `tls.crt` and `tls.key` that another component renews; without it, the operator manages certificates.
   */
  readonly webhookCertDir: string | undefined;
  /** Only clients with a certificate of the CA in this file are served; without it, every client. */
  readonly webhookClientCaFile: string | undefined;
  readonly leaderElect: boolean;
  /** Into how many ranges namespaces are split; 1 means that one replica works on all of them. */
  readonly shards: number;
  /** A file; without it the pod's ServiceAccount is used. */
  readonly kubeconfig: string | undefined;
  /** The kinds to run; empty means all. */
  readonly kinds: readonly string[];
  /** The namespaces to work in; undefined means all. */
  readonly namespaces: readonly string[] | undefined;
  /** Concurrent reconciles for each kind. */
  readonly workers: number;
  readonly logLevel: Level;
  /** The values of the flags that kinds bring along, by the name of the flag. */
  readonly ofKinds: Readonly<Record<string, readonly string[]>>;
}

/** A flag that a kind brings along. It can be given several times. */
export interface KindFlag {
  /** Without dashes. */
  readonly name: string;
  /** How the usage shows its value. */
  readonly value: string;
  readonly help: string;
  /** Throws, with the flag and the value, for values that cannot be used. */
  readonly check: (values: readonly string[]) => void;
}

const LEVELS: readonly Level[] = ['debug', 'info', 'warn', 'error'];

/** The flags of every operator. */
export const USAGE = `Flags:
  --metrics-bind-address ADDR        where metrics are served, 0 for nowhere (default "0")
  --health-probe-bind-address ADDR   where probes are answered, 0 for nowhere (default ":8081")
  --webhook-port PORT                where admission webhooks are served (default 9443)
  --webhook-cert-dir DIR             tls.crt and tls.key, renewed by another component (default: managed by the operator)
  --webhook-client-ca-file FILE      answer only callers with a certificate of this CA (default: every caller)
  --leader-elect                     let one of several replicas do the work
  --shards N                         split the namespaces into N ranges that the replicas share (default 1)
  --kinds KIND,KIND                  which kinds to run (default all)
  --namespaces NAME,NAME             which namespaces to work in (default all)
  --max-concurrent-reconciles N      objects of a kind worked on at once (default 8)
  --kubeconfig FILE                  how to reach the API server (default: KUBECONFIG, or as a pod)
  --log-level LEVEL                  debug, info, warn or error (default "info")
`;

/** True when `--kinds` lets the process run the kind of this singular name. */
export function runsKind({ kinds }: Pick<OperatorFlags, 'kinds'>, kind: string): boolean {
  return kinds.length === 0 || kinds.includes(kind);
}

/** The usage, with the flags of kinds at its end. */
export function usageOf(kindFlags: readonly KindFlag[]): string {
  const lines = kindFlags.map(({ name, value, help }) => `  ${`--${name} ${value}`.padEnd(33)}  ${help}\n`);
  return USAGE + lines.join('');
}

/** A command line that cannot be used: the message names the flag and the value, and people want to see the flags. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/** Reads the arguments; throws a FlagError. */
export function parseFlags(
  args: readonly string[],
  knownKinds: readonly string[],
  kindFlags: readonly KindFlag[] = [],
): OperatorFlags {
  try {
    return read(args, knownKinds, kindFlags);
  } catch (cause) {
    throw new FlagError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function read(args: readonly string[], knownKinds: readonly string[], kindFlags: readonly KindFlag[]): OperatorFlags {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      ...Object.fromEntries(kindFlags.map(({ name }) => [name, { type: 'string', multiple: true } as const])),
      'metrics-bind-address': { type: 'string', default: '0' },
      'health-probe-bind-address': { type: 'string', default: ':8081' },
      'webhook-port': { type: 'string', default: '9443' },
      'webhook-cert-dir': { type: 'string' },
      'webhook-client-ca-file': { type: 'string' },
      'leader-elect': { type: 'boolean', default: false },
      shards: { type: 'string', default: '1' },
      kinds: { type: 'string', default: '' },
      namespaces: { type: 'string' },
      'max-concurrent-reconciles': { type: 'string', default: '8' },
      kubeconfig: { type: 'string' },
      'log-level': { type: 'string', default: 'info' },
    },
  });
  const shards = wholeNumber('shards', values.shards, { from: 1, to: MOST_SHARDS });
  // Without an election every replica would work on every range.
  if (shards > 1 && !values['leader-elect'])
    throw new Error(`--shards: needs --leader-elect, got "${shards}" without it`);
  return {
    metricsAddress: address('metrics-bind-address', values['metrics-bind-address']),
    healthAddress: address('health-probe-bind-address', values['health-probe-bind-address']),
    webhookPort: wholeNumber('webhook-port', values['webhook-port'], { from: 0, to: 65_535 }),
    webhookCertDir: values['webhook-cert-dir'],
    webhookClientCaFile: values['webhook-client-ca-file'],
    leaderElect: values['leader-elect'],
    shards,
    kubeconfig: values.kubeconfig,
    kinds: kindsOf(values.kinds, knownKinds),
    namespaces: namespacesOf(values.namespaces),
    workers: wholeNumber('max-concurrent-reconciles', values['max-concurrent-reconciles'], { from: 1, to: 1000 }),
    logLevel: level(values['log-level']),
    ofKinds: Object.fromEntries(kindFlags.map((flag) => [flag.name, valuesOf(flag, values)])),
  };
}

function valuesOf({ name, check }: KindFlag, values: Readonly<Record<string, unknown>>): readonly string[] {
  const given = (values[name] ?? []) as readonly string[];
  check(given);
  return given;
}

function address(flag: string, value: string): string {
  try {
    parseAddress(value);
    return value;
  } catch (cause) {
    throw new Error(`--${flag}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

function wholeNumber(flag: string, value: string, { from, to }: { from: number; to: number }): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= from && number <= to) return number;
  throw new Error(`--${flag}: must be a whole number from ${from} to ${to}, got "${value}"`);
}

function kindsOf(value: string, known: readonly string[]): readonly string[] {
  const names = listOf(value.toLowerCase());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`--kinds: there is no "${unknown}", only ${known.join(', ')}`);
  return names;
}

function namespacesOf(value: string | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const names = listOf(value);
  if (names.length === 0) throw new Error(`--namespaces: must name at least one, got "${value}"; leave it out for all`);
  const bad = names.find((name) => !isDnsLabel(name));
  if (bad !== undefined) throw new Error(`--namespaces: no namespace can be called "${bad}"`);
  return [...new Set(names)];
}

function listOf(value: string): string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

function level(value: string): Level {
  const found = LEVELS.find((one) => one === value);
  if (found === undefined) throw new Error(`--log-level: must be one of ${LEVELS.join(', ')}, got "${value}"`);
  return found;
}
