// The two servers every operator has, as parts for its manager: health for the kubelet, metrics for Prometheus.

import type { CertificateSource } from '../certificates/source.ts';
import type { Client } from '../client/client.ts';
import type { Logger } from '../log.ts';
import type { Runnable } from '../manager/runnable.ts';
import { AccessReviewer } from './access.ts';
import { isLoopback, parseAddress } from './address.ts';
import type { Health } from './health.ts';
import { Listener } from './listener.ts';
import { type MetricsSource, metricsHandler } from './metrics-handler.ts';

export interface HealthServerOptions {
  /** `:8081`, `127.0.0.1:8081`, or `0` for none. */
  readonly address: string;
  readonly log?: Logger;
}

/** A running server's part, and where it listens: with port 0 in its address, any free port. */
export interface ServerRunnable extends Runnable {
  readonly listening: Promise<number>;
}

/** Serves `/healthz` and `/readyz`; undefined when switched off. */
export function healthServer(health: Health, options: HealthServerOptions): ServerRunnable | undefined {
  const address = parseAddress(options.address);
  if (address === undefined) return undefined;
  return serverRunnable(
    'health server',
    new Listener({ ...options, name: 'health', address, handler: health.handler }),
  );
}

export interface MetricsServerOptions {
  /** `:8443`, `127.0.0.1:8080`, or `0` for none. */
  readonly address: string;
  /** Decides which clients may read; not used on loopback. */
  readonly client: Pick<Client, 'create'>;
  /** For HTTPS; not used on loopback. */
  readonly certificates?: CertificateSource;
  readonly log?: Logger;
}

/** Serves `/metrics`: over HTTP on loopback, elsewhere over TLS to clients that RBAC allows; undefined when switched off. */
export function metricsServer(source: MetricsSource, options: MetricsServerOptions): ServerRunnable | undefined {
  const { client, certificates, log } = options;
  const address = parseAddress(options.address);
  if (address === undefined) return undefined;
  const common = { name: 'metrics', address, ...(log === undefined ? {} : { log }) };
  if (isLoopback(address) && certificates === undefined) {
    return serverRunnable('metrics server', new Listener({ ...common, handler: metricsHandler(source) }));
  }
  if (certificates === undefined) {
    throw new Error(`metrics at "${options.address}" can be reached from outside and need a certificate`);
  }
  const handler = metricsHandler(source, new AccessReviewer(client));
  return serverRunnable('metrics server', new Listener({ ...common, handler, certificates }));
}

function serverRunnable(name: string, listener: Listener): ServerRunnable {
  return {
    name,
    phase: 'servers',
    start: (signal) => listener.start(signal),
    ready: () => listener.listening,
    listening: listener.listening,
  };
}
