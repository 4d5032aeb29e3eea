// The overview: a line for each object of our kinds. A line is computed anew when its object, its pods or its revisions changed, and
// once a second while it is not at rest, because availability depends on the time.

import type { MyDeployment } from '../../../kinds/my-deployment/types.gen.ts';
import type { KubeObject } from '../../../runtime/object.ts';
import { timeOf } from '../../../workload/pod.ts';
import { rolloutOf, type View, viewOfRollout } from '../../get/view.ts';
import { type Standing, standingOf, waitsOf } from '../../policy/standing.ts';
import { isRolling, standingWords, waitWords } from '../../policy/step-words.ts';
import { printable } from '../../terminal/printable.ts';
import type { Model } from '../cluster/model.ts';
import { type ItemRow, KINDS, type KindName, type SessionRow } from '../protocol.ts';
import { failing, groupOf, sharesWithFailures } from './attention.ts';
import { otherItem } from './other-kinds.ts';

interface Known {
  readonly version: number;
  readonly second: number;
  readonly item: ItemRow;
}

export class Overview {
  readonly #model: Model;
  #known = new Map<string, Known>();

  constructor(model: Model) {
    this.#model = model;
  }

  *rows(now: number): Generator<readonly [string, unknown]> {
    yield ['session', this.#session()];
    const known = new Map<string, Known>();
    for (const kind of KINDS) {
      if (!this.#model.isFilled(kind)) continue;
      for (const object of this.#model.all(kind)) {
        const { namespace = '', name, uid } = object.metadata;
        const entry = this.#entry(kind, object, now);
        known.set(uid, entry);
        yield [`item/${kind}/${namespace}/${name}`, entry.item];
      }
    }
    this.#known = known;
  }

  #entry(kind: KindName, object: KubeObject, now: number): Known {
    const { uid } = object.metadata;
    const version = this.#model.watches.version(uid);
    const second = Math.floor(now / 1_000);
    const known = this.#known.get(uid);
    const isCurrent = known?.version === version && (known.second === second || known.item.group === 'rest');
    return isCurrent ? known : { version, second, item: itemOf(kind, object, this.#model, now) };
  }

  #session(): SessionRow {
    const { server, namespace } = this.#model;
    const refusals = KINDS.map((kind) => [kind, this.#model.refusal(kind)] as const);
    const missing = Object.fromEntries(refusals.filter(([, refusal]) => refusal !== undefined));
    return { server, missing, ...(namespace !== undefined && { namespace }) };
  }
}

function itemOf(kind: KindName, object: KubeObject, model: Model, now: number): ItemRow {
  return kind === 'MyDeployment' ? rolloutItem(object as MyDeployment, model, now) : otherItem(kind, object, model);
}

function rolloutItem(object: MyDeployment, model: Model, now: number): ItemRow {
  const facts = model.near(object);
  const rollout = rolloutOf(facts, now);
  const policies = model.policies(object.metadata.namespace ?? '');
  const view = viewOfRollout(rollout, { ...facts, policies });
  const standing = standingOf({ ...rollout, policies });
  const { name, namespace, state, counts, revisions } = view;
  return {
    kind: 'MyDeployment',
    name,
    namespace,
    group: groupOf(view, rollout, standing),
    state,
    message: messageOf(view, standing, now),
    failing: revisions.reduce((sum, { pods }) => sum + failing(pods), 0),
    shares: sharesWithFailures(view),
    ready: `${counts.ready}/${counts.wanted}`,
    images: revisions[0]?.images ?? [],
    createdAt: timeOf(object.metadata.creationTimestamp) ?? now,
  };
}

/** Of a rollout in steps, at which step it is and what that waits for. */
function messageOf({ state, message }: View, standing: Standing | undefined, now: number): string {
  if (state !== 'Progressing' || standing === undefined || !isRolling(standing)) return message;
  const waits = waitsOf(standing, now).map((wait) => `, waits ${waitWords(wait, now)}`);
  return printable(`${standingWords(standing)}${waits.join('')}`);
}
