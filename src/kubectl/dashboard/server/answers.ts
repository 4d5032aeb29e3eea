// What can be asked of the server, by the name at the end of the address.

import { once } from 'node:events';
import type { MyDeployment } from '../../../kinds/my-deployment/types.gen.ts';
import { pods } from '../../../runtime/built-in.ts';
import type { Client } from '../../../runtime/client/client.ts';
import { queryOf } from '../../../runtime/client/options.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { objectPath } from '../../../runtime/resource.ts';
import { printObject } from '../../output.ts';
import { findRevision, readRevisions } from '../../revisions.ts';
import { present, templateDiff } from '../../rollout/diff.ts';
import { printable } from '../../terminal/printable.ts';
import { act, preview } from '../act/actions.ts';
import type { Link } from '../cluster/link.ts';
import { type Model, resourceOf } from '../cluster/model.ts';
import type { Rights } from '../cluster/rights.ts';
import type { KindName } from '../protocol.ts';
import { otherRows } from '../view/other-kinds.ts';
import { Overview } from '../view/overview.ts';
import { rolloutRows } from '../view/rollout.ts';
import { type Answers, type Exchange, sendJson, sendText } from './dashboard-server.ts';
import { EventStream } from './event-stream.ts';
import { countIn, kindIn, nameIn, readAct } from './requests.ts';
import type { Views } from './views.ts';

export interface AnswerParts {
  readonly client: Client;
  readonly model: Model;
  readonly rights: Rights;
  readonly link: Link;
  readonly views: Views;
  readonly clock: Clock;
  readonly wallNow: () => number;
}

/** As much of a log as a person scrolls through. */
const LOG_LINES = 1_000;

export function answersOf(parts: AnswerParts): Answers {
  const { client, clock, wallNow } = parts;
  const overview = new Overview(parts.model);
  return {
    reads: {
      stream: (query, exchange) => stream(query, exchange, parts, overview),
      diff: (query, exchange) => diff(query, exchange, client),
      yaml: (query, exchange) => yaml(query, exchange, client),
      logs: (query, exchange) => logs(query, exchange, client),
    },
    writes: {
      preview: (body, signal) => preview(readAct(body), { client, signal, clock, wallNow }),
      act: (body, signal) => act(readAct(body), { client, signal, clock, wallNow }),
    },
  };
}

function stream(query: URLSearchParams, { response }: Exchange, parts: AnswerParts, overview: Overview): void {
  const isOverview = query.get('view') === 'overview';
  const subject = isOverview
    ? undefined
    : { kind: kindIn(query), namespace: nameIn(query, 'namespace'), name: nameIn(query, 'name') };
  const reader = new EventStream(response, { onDrain: () => shown.drained(), onClose: () => shown.close() });
  const rows = function* (): Generator<readonly [string, unknown]> {
    yield ['link', parts.link.row];
    if (subject === undefined) yield* overview.rows(parts.wallNow());
    else yield* objectRows(subject, parts);
  };
  const shown = parts.views.show(JSON.stringify(subject ?? 'overview'), rows, reader);
}

interface Subject {
  readonly kind: KindName;
  readonly namespace: string;
  readonly name: string;
}

function* objectRows({ kind, namespace, name }: Subject, parts: AnswerParts): Generator<readonly [string, unknown]> {
  const { model, wallNow } = parts;
  const object = model.one(kind, namespace, name);
  const refusal = model.refusal(kind);
  if (!model.isFilled(kind)) return;
  if (object !== undefined && kind === 'MyDeployment') yield* rolloutRows(object as MyDeployment, parts, wallNow());
  else if (object !== undefined && kind !== 'MyDeployment') yield* otherRows(kind, object, model);
  else if (refusal !== undefined) yield ['gone', { because: refusal }];
  else yield ['gone', { because: `There is no ${kind} "${name}" in namespace "${namespace}".` }];
}

async function diff(query: URLSearchParams, { response, signal }: Exchange, client: Client): Promise<void> {
  const target = { namespace: nameIn(query, 'namespace'), name: nameIn(query, 'name') };
  const object = (await client.get(resourceOf('MyDeployment'), target, { signal })) as MyDeployment;
  const revisions = await readRevisions({ client, console: { interrupted: signal } }, object);
  const to = countIn(query, 'to');
  const lines = templateDiff(
    findRevision(revisions, countIn(query, 'from') ?? 0),
    to === undefined ? present(object, revisions) : findRevision(revisions, to),
  );
  sendJson(response, lines);
}

/** An object, or a pod, as YAML. */
async function yaml(query: URLSearchParams, { response, signal }: Exchange, client: Client): Promise<void> {
  const ref = { namespace: nameIn(query, 'namespace'), name: nameIn(query, 'name') };
  const resource = query.get('kind') === 'Pod' ? pods : resourceOf(kindIn(query));
  const object = await client.get(resource, ref, { signal });
  sendText(response, printable(printObject(object, 'yaml', resource)));
}

/** The log of a container, followed until the tab stops reading. */
async function logs(query: URLSearchParams, { response, signal }: Exchange, client: Client): Promise<void> {
  response.socket?.setTimeout(0); // a program may have nothing to say for hours
  const ref = { namespace: nameIn(query, 'namespace'), name: nameIn(query, 'name') };
  const previous = query.get('previous') === 'true';
  const options = { container: query.get('container') ?? undefined, previous, follow: !previous, tailLines: LOG_LINES };
  const path = `${objectPath(pods, ref, 'log')}${queryOf(options)}`;
  for await (const chunk of client.stream(path, { signal })) {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    if (!response.write(chunk)) await once(response, 'drain', { signal });
  }
  response.end();
}
