// The way to our webhooks that the API server takes: TLS to the port of the webhook configuration, with the name of the
// Service and the CA that was injected there. What is sent is raw, so that it can be as wrong as it likes.

import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { Client } from '../../../../src/runtime/client/client.ts';
import type { KubeObject } from '../../../../src/runtime/object.ts';
import type { Resource } from '../../../../src/runtime/resource.ts';

interface Configuration extends KubeObject {
  readonly webhooks: readonly {
    readonly clientConfig: {
      readonly caBundle: string;
      readonly service: {
        readonly namespace: string;
        readonly name: string;
        readonly path: string;
        readonly port: number;
      };
    };
  }[];
}

const configurations = (kind: 'Mutating' | 'Validating'): Resource<Configuration> => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: `${kind}WebhookConfiguration`,
  plural: `${kind.toLowerCase()}webhookconfigurations`,
  namespaced: false,
});

export interface Door {
  readonly path: string;
  readonly port: number;
  readonly ca: string;
  /** The name that the certificate is for. */
  readonly servername: string;
}

/** Every webhook path that is configured. */
export async function doors(client: Client): Promise<readonly Door[]> {
  const kinds = [configurations('Mutating'), configurations('Validating')];
  const lists = await Promise.all(kinds.map((kind) => client.list(kind)));
  const webhooks = lists.flatMap(({ items }) => items).flatMap((item) => item.webhooks);
  return webhooks.map(({ clientConfig: { caBundle, service } }) => ({
    path: service.path,
    port: service.port,
    ca: Buffer.from(caBundle, 'base64').toString(),
    servername: `${service.name}.${service.namespace}.svc`,
  }));
}

export interface Knock {
  /** @default POST */
  readonly method?: string;
  /** @default the door's own */
  readonly path?: string;
  /** @default application/json */
  readonly contentType?: string | undefined;
  readonly body?: string | Uint8Array;
  /** Sent before the body, which then never comes to its end. */
  readonly promisedLength?: number;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const NO_ANSWER_MS = 60_000;

/** Sends one request over a connection of its own and reads the answer; rejects when there is none. */
export function knock({ port, ca, servername, path }: Door, what: Knock): Promise<Answer> {
  const { method = 'POST', body = '', promisedLength, signal } = what;
  const contentType = 'contentType' in what ? what.contentType : 'application/json';
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      ca,
      servername,
      method,
      path: what.path ?? path,
      agent: false,
      headers: {
        ...(contentType !== undefined && { 'content-type': contentType }),
        'content-length': promisedLength ?? Buffer.byteLength(body),
      },
      signal: AbortSignal.any([AbortSignal.timeout(NO_ANSWER_MS), ...(signal ? [signal] : [])]),
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        sent.destroy();
      });
    });
    if (promisedLength === undefined) sent.end(body);
    else sent.write(body);
  });
}
