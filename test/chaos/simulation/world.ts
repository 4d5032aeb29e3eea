// One simulated cluster: API server, network, kubelet, garbage collector, its operators, and the checker that sees every write at the
// instant it is made. Acts of a schedule happen to it through `act`: what people do is in people.ts, what befalls operators is with
// them (staff.ts), what befalls their network is here.

import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../../src/kinds/my-deployment/types.gen.ts';
import { controllerOf } from '../../../src/runtime/object.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import type { ControllerRevision } from '../../../src/workload/revision.ts';
import { controllerRevisions, pods } from '../../../src/workload/write-context.ts';
import { PodPromises, type RecordedNode } from '../../support/pod-promises.ts';
import { PolicyPromises, type RecordedPolicy } from '../../support/policy-promises.ts';
import { Promises, type Recorded } from '../../support/rollout-promises.ts';
import { Admission } from './admission.ts';
import { AlteredPods } from './altered-pods.ts';
import { ApiServer, type Commit } from './api-server.ts';
import { Chance } from './chance.ts';
import { ClusterAgents } from './cluster-agents.ts';
import { Leadership } from './leadership.ts';
import { Network } from './network.ts';
import { CROWD, type Effects, People } from './people.ts';
import { type Ending, PolicyPeople } from './policy-people.ts';
import type { End } from './policy-schedule.ts';
import { type Act, LONGEST_LAG_MS, type Schedule } from './schedule.ts';
import { ShardStaff } from './shard-staff.ts';
import { isLease } from './simulated-process.ts';
import type { Staff, StaffAct } from './staff.ts';
import { VirtualTime } from './virtual-time.ts';

/** By then the leader that is left has seen everything, however slow its watches are, or silent. */
const FORGIVEN_AFTER_MS = { slow: 15_000, silent: 60_000 };

export class World {
  readonly time = new VirtualTime();
  readonly server: ApiServer;
  readonly network: Network;
  readonly admission: Admission;
  /** The first promise that was broken. */
  broken: string | undefined;
  readonly #agents: ClusterAgents;
  readonly #people: People;
  readonly #excuses;
  readonly #promises: Promises;
  readonly #policyPromises: PolicyPromises;
  readonly #podPromises: PodPromises;
  readonly #policyPeople: PolicyPeople;
  readonly #altered: AlteredPods;
  readonly #deposed = new Set<string>();
  readonly #staff: Staff;
  #wallAheadMs = 0;
  #fingerprint = 0x811c9dc5;

  constructor(schedule: Schedule) {
    const { seed, latency, podMs } = schedule;
    const underwayMs = longestRequest(schedule);
    this.#excuses = {
      harmed: new Set<string>(),
      scribbledOn: new Set<string>(),
      uninvited: new Set<string>(),
      overlapped: false,
      underwayMs,
      wallSkewMs: 0,
    };
    this.#promises = new Promises(this.#excuses, 'everything');
    this.#policyPromises = new PolicyPromises(this.#excuses);
    this.#podPromises = new PodPromises(this.#excuses);
    this.#altered = new AlteredPods(schedule);
    this.admission = new Admission(this.time, (name) => {
      this.#altered.add(name);
      this.#excuses.harmed.add(name);
    });
    this.server = new ApiServer(this.time, this.admission, (commit, actor) => this.#witness(commit, actor), CROWD);
    this.network = new Network(this.time, new Chance(seed, 'network'), latency);
    this.#agents = new ClusterAgents({
      time: this.time,
      server: this.server,
      chance: new Chance(seed, 'agents'),
      podMs,
    });
    this.#policyPeople = new PolicyPeople(this.time, this.server, () => this.time.now() + this.#wallAheadMs);
    const { harmed, scribbledOn } = this.#excuses;
    const notes = { harmed, scribbledOn };
    this.#people = new People({ server: this.server, agents: this.#agents, spec: schedule.spec, ...notes });
    this.#staff = this.#staffOf(schedule);
    this.#agents.provideNodes();
    this.#people.create();
  }

  /** Writes that operators have sent so far, whether or not they changed anything; claims that were refused left out. */
  get writes(): number {
    return this.#staff.writes - this.admission.refused;
  }

  get object(): MyDeployment | undefined {
    return this.#people.object;
  }

  /** What everything has to end with. */
  get ending(): Ending {
    return this.#policyPeople.ending;
  }

  /** The pods that the object owns and that count. */
  get active(): Pod[] {
    return this.#people.active;
  }

  /** The pods that the object owns and that have not ended yet, though they are to. */
  get leaving(): Pod[] {
    const uid = this.object?.metadata.uid;
    const owned = this.server.list(pods).filter((pod) => controllerOf(pod)?.uid === uid);
    return owned.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  }

  /** The history that the object owns. */
  get revisions(): ControllerRevision[] {
    const uid = this.object?.metadata.uid;
    return this.server.list(controllerRevisions).filter((revision) => controllerOf(revision)?.uid === uid);
  }

  /** Of how many objects more than there are an operator remembers writes. */
  get rememberedTooMany(): number {
    return Math.max(0, this.#staff.remembered - this.server.list(myDeployments).length);
  }

  /** What is amiss among the operators. */
  get staffUnrest(): string | undefined {
    return this.#staff.unrest;
  }

  /** What belongs to an object that is gone. */
  get leftovers(): string[] {
    const owned = [...this.server.list(pods), ...this.server.list(controllerRevisions)].filter(
      (object) => controllerOf(object)?.kind === myDeployments.kind,
    );
    return owned.map(({ metadata }) => metadata.name);
  }

  /** Sums up everything that was written so far. */
  get fingerprint(): string {
    return (this.#fingerprint >>> 0).toString(16);
  }

  /** Ends every fault, takes back what would keep a rollout from finishing, and has an operator running. */
  heal(end: End | undefined): void {
    this.network.clear();
    this.admission.relent();
    this.#people.relent();
    this.#people.disperse();
    if (end !== undefined) this.#policyPeople.settle(end);
    // A clock that stays wrong must not matter, unless time is what people ask to be waited for.
    if ((this.object?.spec.minReadySeconds ?? 0) > 0) this.#setWallClock(0);
    this.#staff.heal();
  }

  /** People have fewer pods, where their policy says which ones go. True when they have. */
  shrink(): boolean {
    return this.#policyPeople.shrink();
  }

  act(act: Act): void {
    const effects = { ...this.#people.deeds, ...this.#policyPeople.deeds, ...this.#staff.deeds, ...this.#mishaps };
    (effects[act.do] as ((act: Act) => void) | undefined)?.(act);
  }

  readonly #mishaps: Effects<Exclude<Act['do'], keyof People['deeds'] | keyof PolicyPeople['deeds'] | StaffAct>> = {
    weather: ({ mishap, forMs, chance }) => this.network.brew(mishap, forMs, chance),
    stallWatch: ({ plural, forMs }) => this.network.stall(plural, forMs),
    silenceWatch: ({ plural }) => this.network.silence(plural),
    cutWatch: ({ plural, how }) => this.network.cut(plural, how),
    expireWatch: () => {
      this.server.compact();
      this.network.cut(undefined, 'reset');
    },
    apiDown: ({ forMs }) => this.network.goDown(forMs),
    setWallClock: ({ aheadMs }) => this.#setWallClock(aheadMs),
    refuseStreams: () => {
      this.network.streams = false;
    },
    alterPods: ({ part, forMs }) => this.admission.alterPods(part, forMs),
    refuseClaims: ({ refusal }) => this.admission.refuseClaims(refusal),
  };

  #witness(commit: Commit, actor: string): void {
    const { resource, type, object } = commit;
    if (isLease(resource)) return;
    if (this.#deposed.has(actor)) {
      const { uninvited, harmed } = this.#excuses;
      // What it adopts, its successor knows as little of as what it makes.
      if (type !== 'DELETED') uninvited.add(object.metadata.name);
      if (type !== 'ADDED') harmed.add(object.metadata.name);
    }
    this.#imprint(
      `${this.time.now()} ${actor} ${type} ${resource.kind} ${object.metadata.name} ${object.metadata.uid}`,
    );
    const at = this.time.now();
    const event = { kind: resource.kind, type, object, at } as unknown as Recorded | RecordedPolicy | RecordedNode;
    this.broken ??= this.#judge(event)[0] ?? this.#altered.take(commit);
    this.#agents.notice(commit);
  }

  #judge(event: Recorded | RecordedPolicy | RecordedNode): string[] {
    const ofPods = this.#podPromises.take(event);
    if (event.kind === 'Node') return ofPods;
    const ofPolicies = [...this.#policyPromises.take(event), ...ofPods];
    return event.kind === 'RolloutPolicy' ? ofPolicies : [...this.#promises.take(event), ...ofPolicies];
  }

  #imprint(text: string): void {
    let hash = this.#fingerprint;
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    this.#fingerprint = hash;
  }

  #staffOf(schedule: Schedule): Staff {
    const { time, server, network } = this;
    const onBroken = (what: string): void => {
      this.broken ??= what;
    };
    const surroundings = { time, server, network };
    const props = { around: surroundings, chance: new Chance(schedule.seed, 'operator'), onBroken };
    if (schedule.sharing !== undefined) return new ShardStaff({ ...props, sharing: schedule.sharing });
    const forgivenAfterMs = FORGIVEN_AFTER_MS[haveLongSilence(schedule) ? 'silent' : 'slow'];
    return new Leadership({ ...props, forgivenAfterMs, deposed: this.#deposed, excuses: this.#excuses });
  }

  /** Of every operator, also of those that start later. */
  #setWallClock(aheadMs: number): void {
    this.#wallAheadMs = aheadMs;
    this.#excuses.wallSkewMs = Math.max(this.#excuses.wallSkewMs, Math.abs(aheadMs));
    this.#staff.setWallClock(aheadMs);
  }
}

function haveLongSilence({ steps }: Schedule): boolean {
  return steps.some(({ act }) => act.do === 'silenceWatch' || (act.do === 'stallWatch' && act.forMs > LONGEST_LAG_MS));
}

/**
 * How long a request may be on its way: ten times as long as is typical, for three requests in a row, and through bad
 * weather as long as that lasts. Times are told in whole seconds, hence one more.
 */
function longestRequest({ latency, steps }: Schedule): number {
  const isRough = steps.some(({ act }) => ['apiDown', 'weather'].includes(act.do));
  return 1_000 + 60 * latency.requestMs + (isRough ? 15_000 : 0);
}
