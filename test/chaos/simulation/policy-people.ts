// People and programs around the policies of a simulated cluster: those who write policies, promote, abort and retry, and the
// measurer of gates, who flaps and lies until the faults are over. How a run ends is up to them, too: they go on asking until
// the rollout is where they want it.

import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../../src/kinds/my-deployment/types.gen.ts';
import { ABORT, formatRequest, PROMOTE, RETRY, type Request, type RequestKey } from '../../../src/policy/requests.ts';
import { rolloutPolicies } from '../../../src/policy/resource.ts';
import type { RolloutPolicy, RolloutPolicyStatusGate } from '../../../src/policy/types.gen.ts';
import { timestamp } from '../../../src/runtime/conditions.ts';
import { controllerOf } from '../../../src/runtime/object.ts';
import type { ControllerRevision } from '../../../src/workload/revision.ts';
import { controllerRevisions } from '../../../src/workload/write-context.ts';
import { isBy, type Notes, notesOf } from '../../support/attempt-notes.ts';
import type { ApiServer } from './api-server.ts';
import { CRASHING_IMAGE } from './cluster-agents.ts';
import { type Effects, FEW } from './people.ts';
import { type End, GATE, type PolicyAct, type PolicySpec, soundPolicy } from './policy-schedule.ts';
import type { VirtualTime } from './virtual-time.ts';

const WEB = { namespace: 'default', name: 'web' };
const LOOK_EVERY_MS = 3_000;
/** For any pod to start. */
const LONG_ENOUGH_S = 600;

interface Attempt extends Notes {
  readonly number: number;
  readonly image: string | undefined;
  readonly stableImage: string | undefined;
}

/** What a run ends with. */
export interface Ending {
  /** The image of all pods. */
  readonly image: string | undefined;
  readonly isRejected: boolean;
}

export class PolicyPeople {
  readonly #time: VirtualTime;
  readonly #server: ApiServer;
  /** By the clock of the operator, of which the measurer is a part. */
  readonly #wallNow: () => number;

  constructor(time: VirtualTime, server: ApiServer, wallNow: () => number) {
    this.#time = time;
    this.#server = server;
    this.#wallNow = wallNow;
  }

  readonly deeds: Effects<PolicyAct['do']> = {
    govern: ({ spec }) => this.#govern('web', spec),
    double: ({ spec }) => this.#govern('other', spec),
    ungovern: ({ name }) => this.#ungovern(name),
    promote: ({ full, off, by }) => {
      const { number = 0, step } = this.#attempt ?? {};
      this.#ask(PROMOTE, { number: number + off, step: (step?.step ?? 1) + by, ...(full && { full }) });
    },
    abort: ({ off }) => this.#ask(ABORT, { number: (this.#attempt?.number ?? 0) + off }),
    retry: ({ off }) => this.#ask(RETRY, { number: (this.#attempt?.number ?? 0) + off }),
    measure: ({ state, off, by }) => {
      const { number = 0, step } = this.#attempt ?? {};
      this.#measure({ number: number + off, step: (step?.step ?? 1) + by, state });
    },
    rollCrashing: () => this.#roll(CRASHING_IMAGE),
    rollResized: ({ version, cpu }) => this.#roll(`web:${version}`, { requests: { cpu } }),
  };

  /** From now on they want the rollout to end in this way. */
  settle(end: End): void {
    this.#ungovern('other');
    const { object } = this;
    if (end === 'letGo' || object === undefined) {
      this.#ungovern('web');
      return;
    }
    const { pods } = this.#server.find(rolloutPolicies, WEB)?.spec ?? {};
    this.#govern('web', { ...soundPolicy(object.spec.strategy?.type), ...(pods && { pods }) });
    if (object.spec.replicas === 0) this.#patch({ replicas: 2 });
    if (end === 'abort') this.#roll('web:9');
    // A rollout whose pods take longer than its deadline goes back as often as they retry it, as its policy says.
    if (end === 'promote' && object.spec.progressDeadlineSeconds !== LONG_ENOUGH_S)
      this.#patch({ progressDeadlineSeconds: LONG_ENOUGH_S });
    this.#goOn(end);
  }

  /** To a third, where a policy spreads scale-downs. True when that is fewer. */
  shrink(): boolean {
    const { replicas = 1 } = this.object?.spec ?? {};
    const isSpread = this.#policies.some(({ spec }) => spec.pods?.scaleDown !== undefined);
    if (!isSpread || replicas < 3) return false;
    this.#patch({ replicas: Math.ceil(replicas / 3) });
    return true;
  }

  /** What everything has to end with; undefined while people are not content. */
  get ending(): Ending {
    const attempt = this.#attempt;
    const isRejected = isBy(attempt?.rejected, attempt?.number ?? 0, this.#policies[0]?.metadata.uid);
    if (isRejected) return { image: attempt?.stableImage, isRejected };
    return { image: this.object?.spec.template.spec?.containers[0]?.image, isRejected };
  }

  get object(): MyDeployment | undefined {
    return this.#server.find(myDeployments, WEB);
  }

  #goOn(end: End): void {
    this.#time.after(LOOK_EVERY_MS, () => {
      this.#persist(end);
      this.#goOn(end);
    });
  }

  #persist(end: End): void {
    const { object } = this;
    const attempt = this.#attempt;
    const [policy] = this.#policies;
    if (object === undefined || attempt === undefined || policy === undefined) return;
    // Whoever has lost the revision to go back to can only let go.
    if (object.status?.conditions?.some(({ reason }) => reason === 'StableRevisionLost')) this.#ungovern('web');
    const { number, step, rejected, completed } = attempt;
    const isPresent = isBy(step, number, policy.metadata.uid) && completed !== number;
    if (isBy(rejected, number, policy.metadata.uid)) {
      if (end === 'promote') this.#ask(RETRY, { number });
      return;
    }
    if (!isPresent || step === undefined) return;
    if (end === 'abort') {
      this.#ask(ABORT, { number });
      return;
    }
    if (step.since !== undefined) this.#measure({ number, step: step.step, state: 'Passed' }, step.since);
    if (step.step <= (policy.spec.steps ?? []).length && !step.promoted)
      this.#ask(PROMOTE, { number, step: step.step });
  }

  /** What people see: the newest revision. */
  get #attempt(): Attempt | undefined {
    const uid = this.object?.metadata.uid;
    const owned = this.#server.list(controllerRevisions).filter((revision) => controllerOf(revision)?.uid === uid);
    const [newest] = owned.sort((one, other) => other.revision - one.revision);
    if (newest === undefined) return undefined;
    const notes = notesOf(newest);
    const stable = owned.find(({ metadata }) => metadata.name === notes.rejected?.stable);
    return { ...notes, number: newest.revision, image: imageOf(newest), stableImage: stable && imageOf(stable) };
  }

  get #policies(): RolloutPolicy[] {
    return this.#server.list(rolloutPolicies);
  }

  #govern(name: string, spec: PolicySpec): void {
    const whole = { targetRef: { name: 'web' }, ...spec };
    const present = this.#server.find(rolloutPolicies, { ...WEB, name });
    if (present === undefined)
      this.#server.create(rolloutPolicies, { metadata: { ...WEB, name }, spec: whole }, 'user');
    else this.#server.edit(rolloutPolicies, { ...present, spec: whole }, 'user');
  }

  #ungovern(name: string): void {
    const policy = this.#server.find(rolloutPolicies, { ...WEB, name });
    if (policy !== undefined) this.#server.remove(rolloutPolicies, policy, 'user');
  }

  #ask(key: RequestKey, request: Request): void {
    for (const policy of this.#policies) {
      const annotations = { ...policy.metadata.annotations, [key]: formatRequest(request) };
      if (policy.metadata.annotations?.[key] === annotations[key]) continue;
      this.#server.edit(rolloutPolicies, { ...policy, metadata: { ...policy.metadata, annotations } }, 'user');
    }
  }

  #measure(place: Pick<RolloutPolicyStatusGate, 'number' | 'step' | 'state'>, since?: string): void {
    for (const policy of this.#policies) {
      const [known] = policy.status?.gates ?? [];
      const isSaid = known?.number === place.number && known.step === place.step && known.state === place.state;
      if (isSaid && since !== undefined && (known.measuredAt ?? '') >= since) continue;
      const gates = [{ name: GATE, ...place, measuredAt: timestamp(this.#wallNow() + 1000) }];
      this.#server.edit(rolloutPolicies, { ...policy, status: { ...policy.status, gates } }, 'measurer');
    }
  }

  #roll(image: string, resources: object = FEW): void {
    const containers = [{ name: 'web', image, resources }];
    this.#patch({ template: { metadata: { labels: { app: 'web' } }, spec: { containers } } });
  }

  #patch(spec: object): void {
    if (this.object === undefined) return;
    this.#server.patch(myDeployments, WEB, { type: 'merge', body: { spec } }, { actor: 'user' });
  }
}

function imageOf({ data }: ControllerRevision): string | undefined {
  return /"image":"([^"]+)"/.exec(JSON.stringify(data))?.[1];
}
