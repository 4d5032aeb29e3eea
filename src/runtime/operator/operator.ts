// Assembles the parts of the runtime into one operator: access to the API server, servers, certificates, webhooks, one
// cache, leader election and events; kinds add their controllers and webhooks. A program with other needs can assemble
// the same parts by itself: this file only wires them.

import { hostname } from 'node:os';
import { delimiter, join } from 'node:path';
import { Cache } from '../cache/cache.ts';
import type { Informer } from '../cache/informer.ts';
import { CertificateFiles, ClientCaFile } from '../certificates/files.ts';
import type { InjectionTarget } from '../certificates/injection.ts';
import { CertificateRotator } from '../certificates/rotator.ts';
import type { CertificateSource } from '../certificates/source.ts';
import { type Access, readInCluster, readKubeconfig } from '../client/access.ts';
import { type Client, createClient } from '../client/client.ts';
import { Connection } from '../client/connection.ts';
import { type Clock, monotonicClock, type WallClock, wallClock } from '../clock.ts';
import type { Controller, ControllerOptions } from '../controller/controller.ts';
import { EventBroadcaster, type EventRecorder } from '../events.ts';
import { LeaderElector } from '../leader-election/elector.ts';
import type { Logger } from '../log.ts';
import { Manager } from '../manager/manager.ts';
import type { Runnable } from '../manager/runnable.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import type { KubeObject } from '../object.ts';
import { groupResourceOf } from '../resource.ts';
import { isLoopback, parseAddress } from '../server/address.ts';
import { EventLoopMonitor } from '../server/event-loop.ts';
import { type Check, Health } from '../server/health.ts';
import { healthServer, metricsServer } from '../server/servers.ts';
import { type Watched, watchesAlive } from '../server/watch-check.ts';
import { groupIdentity } from '../shards/layout.ts';
import { WebhookServer } from '../webhook/server.ts';
import { type OperatorFlags, runsKind } from './flags.ts';
import { cachePart, controllerPart } from './parts.ts';
import { type CreateController, ShardedWork } from './sharded.ts';

/** What an operator is made of. */
export interface OperatorOptions {
  /** Names the lease, the field manager, and the source of events. */
  readonly name: string;
  readonly flags: OperatorFlags;
  /** The namespace of the operator, its lease and its certificates. */
  readonly namespace: string;
  readonly access: Access;
  readonly log: Logger;
  /** Absent: no webhooks. */
  readonly webhooks?: WebhookPlaces;
  /** Settings of single kinds. @default none */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly wallNow?: WallClock;
}

/** The objects of the API server that webhooks need. */
export interface WebhookPlaces {
  /** The Services whose DNS names the serving certificates have: for the API server, and for metrics. */
  readonly services: readonly string[];
  /** The Secret with self-managed certificates. */
  readonly secret: string;
  /** The webhook configurations that get the CA. */
  readonly configurations: readonly InjectionTarget[];
}

/** This many creates keep an API server busy; more sockets only cost memory, 100 kB each with TLS. */
const SOCKETS = 32;
/** A dry run takes milliseconds, so few run at the same time. */
const WEBHOOK_SOCKETS = 8;
/** A scraper comes every few seconds, and its access is cached for a minute. */
const METRICS_SOCKETS = 2;

/** What a kind works with. */
export interface Operator {
  /** The field manager of its writes, the source of its events. */
  readonly name: string;
  readonly cache: Cache;
  /** Writes pass only while this process leads. */
  readonly client: Client;
  /** For webhooks: every replica serves them, and users wait for the response. */
  readonly webhookClient: Client;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly wallNow: WallClock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Settings of single kinds. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The values of the flags that kinds bring along, by the name of the flag. */
  readonly kindFlags: Readonly<Record<string, readonly string[]>>;
  /** The namespaces to work in; undefined means all. */
  readonly namespaces: readonly string[] | undefined;
  /** Absent when webhooks are switched off. */
  readonly webhooks: WebhookServer | undefined;
  /** True when `--kinds` lets this process run the kind of this singular name. */
  runs(kind: string): boolean;
  /** Workers, log and metrics for a controller. */
  readonly controllerOptions: Pick<ControllerOptions, 'workers' | 'log' | 'metrics' | 'concerns'>;
  /** Runs a controller while this process leads: with `--shards`, one replica runs it for the whole cluster. */
  addController(controller: Controller): void;
  /**
   * Runs a controller of namespaced objects. Without `--shards` it is created once; with it, anew for each range of namespaces that
   * this process is given, with the cache, the client and the events of that range.
   */
  addControllerPerShard(create: CreateController): Promise<void>;
  /** Runs another part, in its phase; with `--shards`, one replica runs those of the phase `leader`. */
  add(part: Runnable): void;
}

/** The parts, put together and not yet running; `run` works until the signal aborts. */
export function createOperator(options: OperatorOptions): Operator & { run(signal: AbortSignal): Promise<void> } {
  const { name, flags, namespace, log, clock = monotonicClock, wallNow = wallClock } = options;
  const metrics = createMetrics(clock);
  const connections: Connection[] = [];
  const connect = (sockets: number): Client => {
    const connection = new Connection(options.access, { userAgent: name, log, sockets });
    connections.push(connection);
    return createClient(connection, { fieldManager: name, observer: metrics.requests });
  };
  const standbyClient = connect(SOCKETS);
  // Separate connections: requests that wait for a free socket must delay neither an admission, for which a user waits,
  // nor the renewal of the lease.
  const webhookClient = connect(WEBHOOK_SOCKETS);
  const electionClient = flags.leaderElect ? connect(SOCKETS) : undefined;
  const election = { namespace, name, log, observer: metrics.election };
  const group = flags.shards > 1 ? { identity: groupIdentity(flags.shards), shared: true } : {};
  const elector = electionClient && new LeaderElector(electionClient, { ...election, ...group });
  const manager = new Manager({ log, ...(elector && { elector }) });
  const leaderClient = elector === undefined ? standbyClient : standbyClient.fenced(elector.fence);
  const cacheOptions = { namespaces: flags.namespaces, log, observer: metrics.cache };
  const cache = new Cache(standbyClient, cacheOptions);
  const eventsTo = (sink: Client): EventBroadcaster =>
    new EventBroadcaster({ client: sink, reporter: { component: name, instance: hostname() }, log, clock, wallNow });
  const sharded =
    electionClient && flags.shards > 1
      ? new ShardedWork({
          shards: flags.shards,
          election,
          electionClient,
          client: leaderClient,
          cacheOptions,
          eventsTo,
        })
      : undefined;
  const client = sharded === undefined ? leaderClient : leaderClient.fenced(sharded.clusterFence);
  const lost = new AbortController();
  // Not the leader's client: the last events are written after the lease was released, but not after it was lost.
  const events = eventsTo(standbyClient.fenced({ signal: lost.signal }));
  const certificates = certificatesOf({ ...options, clock, wallNow }, standbyClient, metrics);
  const clientCa = clientCaOf(options, clock);
  const webhooks =
    options.webhooks &&
    certificates &&
    new WebhookServer({
      address: { port: flags.webhookPort },
      certificates,
      ...(clientCa && { clientCa }),
      log,
      observer: metrics.webhooks,
    });

  const monitor = new EventLoopMonitor(clock);
  const parts: readonly (Runnable | undefined)[] = [
    healthServer(healthOf({ cache, sharded, certificates, clock, log, monitor }), {
      address: flags.healthAddress,
      log,
    }),
    { name: 'event loop monitor', phase: 'servers', start: (signal) => monitor.start(signal) },
    certificates,
    clientCa,
    metricsServer(metrics, {
      address: flags.metricsAddress,
      // Every client that can reach the port can send tokens, which must not delay the operator's own writes.
      client: connect(METRICS_SOCKETS),
      log,
      ...(certificates && !onlyHere(flags.metricsAddress) && { certificates }),
    }),
    webhooks,
    cachePart(cache),
    {
      name: events.name,
      phase: events.phase,
      start: (stop, kill) => {
        kill.addEventListener('abort', () => lost.abort(kill.reason), { once: true });
        return events.start(stop);
      },
    },
  ];
  for (const part of parts) if (part !== undefined) manager.add(part);

  const add = (part: Runnable): void =>
    part.phase === 'leader' && sharded !== undefined ? sharded.addOnce(part) : manager.add(part);
  const addController = (controller: Controller): void => add(controllerPart(controller));
  const operator: Operator = {
    name,
    cache,
    client,
    webhookClient,
    events,
    clock,
    wallNow,
    log,
    metrics,
    env: options.env ?? {},
    kindFlags: flags.ofKinds,
    namespaces: flags.namespaces,
    webhooks,
    runs: (kind) => runsKind(flags, kind),
    controllerOptions: { workers: flags.workers, log, metrics },
    add,
    addController,
    addControllerPerShard: async (create) => {
      if (sharded === undefined) addController(await create(operator));
      else sharded.addPerShard(create);
    },
  };
  return {
    ...operator,
    run: async (signal) => {
      for (const part of sharded?.parts(operator) ?? []) manager.add(part);
      try {
        await manager.run(signal);
      } finally {
        await Promise.all(connections.map((connection) => connection.close()));
      }
    },
  };
}

/** Signs in with the kubeconfig of the flags, with the one that KUBECONFIG names, or as the pod that this process runs in. */
export async function accessOf(flags: OperatorFlags, env: NodeJS.ProcessEnv): Promise<Access> {
  if (flags.kubeconfig !== undefined) return readKubeconfig([flags.kubeconfig]);
  // Never `~/.kube/config`: which cluster a user last worked with is no reason to run an operator there.
  if (env.KUBECONFIG) return readKubeconfig(env.KUBECONFIG.split(delimiter).filter(Boolean));
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443', SERVICE_ACCOUNT_DIRECTORY } = env;
  if (host === undefined) {
    throw new Error(
      'not running in a pod (KUBERNETES_SERVICE_HOST is not set): say --kubeconfig FILE, or set KUBECONFIG',
    );
  }
  return readInCluster({ host, port, ...(SERVICE_ACCOUNT_DIRECTORY && { directory: SERVICE_ACCOUNT_DIRECTORY }) });
}

/** With `--webhook-cert-dir`, another component renews the files; the operator only reads them again. */
type Certificates = CertificateSource & Runnable & { readonly check?: Check };

function certificatesOf(
  { flags, webhooks, namespace, log, clock, wallNow }: OperatorOptions & { clock: Clock; wallNow: WallClock },
  client: Client,
  metrics: Metrics,
): Certificates | undefined {
  if (flags.webhookCertDir !== undefined) {
    const certFile = join(flags.webhookCertDir, 'tls.crt');
    const keyFile = join(flags.webhookCertDir, 'tls.key');
    return new CertificateFiles({ certFile, keyFile, observer: metrics.certificates, clock, log });
  }
  if (webhooks === undefined) return undefined;
  const hosts = webhooks.services.map((service) => `${service}.${namespace}.svc`);
  return new CertificateRotator(client, {
    secret: { namespace, name: webhooks.secret },
    inject: webhooks.configurations,
    names: { dnsNames: hosts.flatMap((host) => [host, `${host}.cluster.local`]) },
    observer: metrics.certificates,
    clock,
    wallNow,
    log,
  });
}

function clientCaOf({ flags, webhooks, log }: OperatorOptions, clock: Clock): ClientCaFile | undefined {
  const file = flags.webhookClientCaFile;
  return webhooks === undefined || file === undefined ? undefined : new ClientCaFile({ file, clock, log });
}

/** An address that only this machine can reach is served without TLS, for use with curl. */
function onlyHere(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && isLoopback(parsed);
}

interface HealthParts {
  readonly cache: Cache;
  readonly sharded: ShardedWork | undefined;
  readonly certificates: Certificates | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly monitor: EventLoopMonitor;
}

function healthOf({ cache, sharded, certificates, clock, log, monitor }: HealthParts): Health {
  const health = new Health(log);
  const watched = () => [
    ...cache.informers.flatMap((informer) => watchesOf(informer)),
    ...(sharded === undefined ? [] : watchesOf(sharded.leases)),
    ...[...(sharded?.caches ?? [])].flatMap(([index, { informers }]) =>
      informers.flatMap((informer) => watchesOf(informer, `of shard ${index}`)),
    ),
  ];
  health.addLivenessCheck('watches', watchesAlive(watched, clock));
  health.addLivenessCheck('event-loop', monitor.check);
  health.addReadinessCheck('caches', () => {
    const behind = cache.informers.filter((informer) => !informer.hasSynced);
    if (behind.length > 0)
      throw new Error(`not synced: ${behind.map((each) => groupResourceOf(each.resource)).join(', ')}`);
  });
  if (certificates?.check) health.addReadinessCheck('certificates', certificates.check);
  return health;
}

function watchesOf({ resource, health }: Pick<Informer<KubeObject>, 'resource' | 'health'>, where = ''): Watched[] {
  return health.map((each) => ({
    name: [[groupResourceOf(resource), each.namespace].filter(Boolean).join(' in '), where].filter(Boolean).join(' '),
    health: each,
  }));
}
