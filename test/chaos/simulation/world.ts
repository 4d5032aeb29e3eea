// One simulated cluster: API server, network, kubelet, garbage collector, one operator or for a moment two, and the
// checker that sees every write at the instant it is made. Acts of a schedule happen to it through `act`.

import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import { ROLLBACK_TO } from '../../../src/kinds/my-deployment/rollback.ts';
import type { MyDeployment, MyDeploymentSpec } from '../../../src/kinds/my-deployment/types.gen.ts';
import { controllerOf, type OwnerReference } from '../../../src/runtime/object.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import type { ControllerRevision } from '../../../src/workload/revision.ts';
import { controllerRevisions, pods } from '../../../src/workload/write-context.ts';
import { isActive } from '../../support/pod-facts.ts';
import { Promises, type Recorded } from '../../support/rollout-promises.ts';
import { ApiServer, type Commit } from './api-server.ts';
import { Chance } from './chance.ts';
import { BAD_IMAGE, ClusterAgents } from './cluster-agents.ts';
import { Network } from './network.ts';
import { OperatorProcess } from './operator-process.ts';
import type { Act, Schedule } from './schedule.ts';
import { VirtualTime } from './virtual-time.ts';

const NAMESPACE = 'default';
const WEB = { namespace: NAMESPACE, name: 'web' };
const STRANGER: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'other', controller: true };
/** No process starts faster, so nothing that a dead one has sent is still on its way. */
const SHORTEST_RESTART_MS = 500;
/** By then the leader that is left has seen everything, however slow its watches are. */
const FORGIVEN_AFTER_MS = 15_000;

export class World {
  readonly time = new VirtualTime();
  readonly server: ApiServer;
  readonly network: Network;
  /** The first promise that was broken. */
  broken: string | undefined;
  readonly #schedule: Schedule;
  readonly #agents: ClusterAgents;
  readonly #excuses;
  readonly #promises: Promises;
  readonly #deposed = new Set<string>();
  readonly #names: Chance;
  #operator: OperatorProcess;
  readonly #processes: OperatorProcess[] = [];
  #serial = 0;
  #fingerprint = 0x811c9dc5;

  constructor(schedule: Schedule) {
    const { seed, latency, podMs } = schedule;
    this.#schedule = schedule;
    const underwayMs = longestRequest(schedule);
    this.#excuses = { harmed: new Set<string>(), uninvited: new Set<string>(), overlapped: false, underwayMs };
    this.#promises = new Promises(this.#excuses, 'everything');
    this.#names = new Chance(seed, 'operator');
    this.server = new ApiServer(this.time, (commit, actor) => this.#witness(commit, actor));
    this.network = new Network(this.time, new Chance(seed, 'network'), latency);
    this.#agents = new ClusterAgents({
      time: this.time,
      server: this.server,
      chance: new Chance(seed, 'agents'),
      podMs,
    });
    this.#operator = this.#startOperator();
    this.#create();
  }

  /** Writes that operators have sent so far, whether or not they changed anything. */
  get writes(): number {
    return this.#processes.reduce((sum, { writes }) => sum + writes, 0);
  }

  get object(): MyDeployment | undefined {
    return this.server.find(myDeployments, WEB);
  }

  /** The pods that the object owns and that count. */
  get active(): Pod[] {
    const uid = this.object?.metadata.uid;
    return this.server.list(pods).filter((pod) => isActive(pod) && controllerOf(pod)?.uid === uid);
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
  heal(): void {
    this.network.clear();
    const { metadata, spec } = this.object ?? {};
    // Nothing is touched without need: an operator that has given up must not be woken.
    if (metadata?.annotations?.[ROLLBACK_TO] !== undefined) this.#annotate({ [ROLLBACK_TO]: null });
    if (spec?.paused) this.#edit({ paused: false });
    if (spec?.template.spec?.containers[0]?.image === BAD_IMAGE) this.#edit({ template: template(1) });
    this.#restartLater(SHORTEST_RESTART_MS);
  }

  act(act: Act): void {
    (this.#acts[act.do] as (act: Act) => void)(act);
  }

  readonly #acts: { readonly [Do in Act['do']]: (act: Act & { do: Do }) => void } = {
    scale: ({ replicas }) => this.#edit({ replicas }),
    roll: ({ version }) => this.#edit({ template: template(version) }),
    rollBadly: () => this.#edit({ template: template('bad') }),
    undo: () => this.#undo(),
    undoByAnnotation: () => this.#annotate({ [ROLLBACK_TO]: '0' }),
    pause: () => this.#edit({ paused: true }),
    resume: () => this.#edit({ paused: false }),
    touch: () => this.#annotate({ touched: String(this.#serial++) }),
    limitHistory: ({ keep }) => this.#edit({ revisionHistoryLimit: keep }),
    minReady: ({ seconds }) => this.#edit({ minReadySeconds: seconds }),
    strategy: ({ strategy }) => this.#edit({ strategy }),
    delete: ({ policy }) => {
      if (this.object) this.server.delete(myDeployments, WEB, { propagationPolicy: policy, actor: 'user' });
    },
    recreateObject: () => {
      if (this.object === undefined) this.#create();
    },
    killPod: ({ pick }) =>
      this.#harm(pick, ({ metadata }) => {
        this.server.delete(pods, metadata, { actor: 'user' });
      }),
    failPod: ({ pick }) =>
      this.#harm(pick, (pod) => this.server.edit(pods, { ...pod, status: { phase: 'Failed' } }, 'kubelet')),
    unreadyPod: ({ pick }) => this.#harm(pick, (pod) => this.#agents.trip(pod)),
    relabelPod: ({ pick }) => this.#harm(pick, (pod) => this.#relabel(pod, 'debug')),
    cheapenPod: ({ pick }) =>
      this.#onPod(pick, (pod) => {
        const annotations = { 'controller.kubernetes.io/pod-deletion-cost': '-5' };
        this.server.edit(pods, { ...pod, metadata: { ...pod.metadata, annotations } }, 'user');
      }),
    orphanPod: () => this.#addPod('orphan'),
    strangerPod: () => this.#addPod('stranger', STRANGER),
    returnPod: () => {
      const pod = this.server.list(pods).find(({ metadata }) => metadata.labels?.app === 'debug');
      if (pod !== undefined && controllerOf(pod) === undefined) this.#relabel(pod, 'web');
    },
    forgetRevision: () => {
      const [revision] = this.server.list(controllerRevisions);
      if (revision === undefined) return;
      this.#excuses.harmed.add(revision.metadata.name);
      this.server.delete(controllerRevisions, revision.metadata, { actor: 'user' });
    },
    crash: ({ downMs }) => {
      this.#operator.kill();
      this.#restartLater(downMs);
    },
    crashAtWrite: ({ writes, moment, downMs }) =>
      this.#operator.killAtWrite(writes, moment, () => this.#restartLater(downMs)),
    depose: ({ overlapMs }) => this.#depose(overlapMs),
    weather: ({ mishap, forMs, chance }) => this.network.brew(mishap, forMs, chance),
    stallWatch: ({ plural, forMs }) => this.network.stall(plural, forMs),
    cutWatch: ({ plural, how }) => this.network.cut(plural, how),
    expireWatch: () => {
      this.server.compact();
      this.network.cut(undefined, 'reset');
    },
    apiDown: ({ forMs }) => this.network.goDown(forMs),
    refuseStreams: () => {
      this.network.streams = false;
    },
  };

  #witness(commit: Commit, actor: string): void {
    const { resource, type, object } = commit;
    if (this.#deposed.has(actor)) {
      const { uninvited, harmed } = this.#excuses;
      (type === 'ADDED' ? uninvited : harmed).add(object.metadata.name);
    }
    this.#imprint(
      `${this.time.now()} ${actor} ${type} ${resource.kind} ${object.metadata.name} ${object.metadata.uid}`,
    );
    const at = this.time.now();
    const broken = this.#promises.take({ kind: resource.kind, type, object, at } as unknown as Recorded);
    this.broken ??= broken[0];
    this.#agents.notice(commit);
  }

  #imprint(text: string): void {
    let hash = this.#fingerprint;
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    this.#fingerprint = hash;
  }

  #startOperator(): OperatorProcess {
    const { time, server, network } = this;
    const name = `operator-${this.#processes.length + 1}`;
    const started = new OperatorProcess(name, { time, server, network }, this.#names);
    this.#processes.push(started);
    return started;
  }

  #restartLater(downMs: number): void {
    this.time.after(downMs, () => {
      if (this.#operator.isAlive) return;
      if (this.#operator.isForgotten) this.#operator = this.#startOperator();
      else this.#restartLater(SHORTEST_RESTART_MS);
    });
  }

  #depose(overlapMs: number): void {
    const former = this.#operator;
    if (!former.isAlive) return;
    this.#deposed.add(former.name);
    this.#excuses.overlapped = true;
    this.#operator = this.#startOperator();
    this.time.after(overlapMs, () => former.kill());
    this.time.after(overlapMs + FORGIVEN_AFTER_MS, () => {
      this.#excuses.overlapped = false;
    });
  }

  #create(): void {
    const spec = { ...this.#schedule.spec, selector: { matchLabels: { app: 'web' } }, template: template(0) };
    this.server.create(myDeployments, { metadata: WEB, spec }, 'user');
  }

  #edit(spec: Partial<MyDeploymentSpec>): void {
    if (this.object !== undefined)
      this.server.patch(myDeployments, WEB, { type: 'merge', body: { spec: replacing(spec) } }, { actor: 'user' });
  }

  #annotate(annotations: Readonly<Record<string, string | null>>): void {
    const body = { metadata: { annotations } };
    if (this.object !== undefined) this.server.patch(myDeployments, WEB, { type: 'merge', body }, { actor: 'user' });
  }

  /** Puts back the template of the revision before the newest, as a person would who applies an old manifest. */
  #undo(): void {
    const image = this.object?.spec.template.spec?.containers[0]?.image;
    const before = image === 'web:1' ? 0 : 1;
    this.#edit({ template: template(before) });
  }

  #addPod(name: string, owner?: OwnerReference): void {
    this.#serial += 1;
    const metadata = {
      namespace: NAMESPACE,
      name: `${name}-${this.#serial}`,
      labels: { app: 'web' },
      ...(owner && { ownerReferences: [owner] }),
    };
    this.server.create<Pod>(pods, { metadata, spec: {} }, 'user');
  }

  #relabel(pod: Pod, app: string): void {
    const { metadata } = pod;
    this.server.edit(pods, { ...pod, metadata: { ...metadata, labels: { ...metadata.labels, app } } }, 'user');
  }

  #onPod(pick: number, effect: (pod: Pod) => void): void {
    const pod = this.active[pick % Math.max(1, this.active.length)];
    if (pod !== undefined) effect(pod);
  }

  #harm(pick: number, effect: (pod: Pod) => void): void {
    this.#onPod(pick, (pod) => {
      this.#excuses.harmed.add(pod.metadata.name);
      effect(pod);
    });
  }
}

/**
 * How long a request may be on its way: ten times as long as is typical, for three requests in a row, and through bad
 * weather as long as that lasts. Times are told in whole seconds, hence one more.
 */
function longestRequest({ latency, steps }: Schedule): number {
  const isRough = steps.some(({ act }) => ['apiDown', 'weather'].includes(act.do));
  return 1_000 + 60 * latency.requestMs + (isRough ? 15_000 : 0);
}

function template(version: number | 'bad'): MyDeploymentSpec['template'] {
  const image = version === 'bad' ? BAD_IMAGE : `web:${version}`;
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } };
}

/** Lists in a merge patch replace; a strategy without rollingUpdate has to say so. */
function replacing(spec: Partial<MyDeploymentSpec>): object {
  return spec.strategy?.type === 'Recreate' ? { ...spec, strategy: { type: 'Recreate', rollingUpdate: null } } : spec;
}
