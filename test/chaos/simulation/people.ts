// The people of a simulated cluster: they create, edit and delete one MyDeployment, and do to pods and revisions what
// people and nodes do. Whatever they harm is noted, so that it is not held against the operator.

import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import { ROLLBACK_TO } from '../../../src/kinds/my-deployment/plan/rollback.ts';
import type { MyDeployment, MyDeploymentSpec } from '../../../src/kinds/my-deployment/types.gen.ts';
import { controllerOf, type ObjectMeta, type OwnerReference } from '../../../src/runtime/object.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { controllerRevisions, pods } from '../../../src/workload/write-context.ts';
import { isActive, isCounted } from '../../support/pod-facts.ts';
import type { ApiServer } from './api-server.ts';
import { BAD_IMAGE, type ClusterAgents, CRASHING_IMAGE } from './cluster-agents.ts';
import type { PolicyAct } from './policy-schedule.ts';
import type { Act, Schedule } from './schedule.ts';
import type { ShardAct } from './shard-schedule.ts';

const NAMESPACE = 'default';
const WEB = { namespace: NAMESPACE, name: 'web' };
/** Another tenant, whose quota refuses whatever its objects need. */
export const CROWD = 'crowd';
/** What containers ask for, unless people resize them. */
export const FEW = { requests: { cpu: '1' } };
/** More failures than may be tried again at once. */
const CROWD_SIZE = 120;
const STRANGER: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'other', controller: true };

/** What happens when an act of the schedule is due. */
export type Effects<Do extends Act['do']> = { readonly [Each in Do]: (act: Act & { do: Each }) => void };

/** The acts that are people's. */
type Deed = Exclude<
  Act['do'],
  | 'crash'
  | 'crashAtWrite'
  | 'depose'
  | 'weather'
  | 'standBy'
  | 'stallWatch'
  | 'silenceWatch'
  | 'cutWatch'
  | 'expireWatch'
  | 'apiDown'
  | 'setWallClock'
  | 'refuseStreams'
  | 'alterPods'
  | 'refuseClaims'
  | PolicyAct['do']
  | ShardAct['do']
>;

export interface PeopleProps {
  readonly server: ApiServer;
  readonly agents: ClusterAgents;
  readonly spec: Schedule['spec'];
  /** Names of the pods and revisions that they harm are added to this. */
  readonly harmed: Set<string>;
  /** Names of the pods whose record of a change in place they overwrite are added to this. */
  readonly scribbledOn: Set<string>;
}

export class People {
  readonly #props: PeopleProps;
  #serial = 0;

  constructor(props: PeopleProps) {
    this.#props = props;
  }

  get object(): MyDeployment | undefined {
    return this.#props.server.find(myDeployments, WEB);
  }

  /** The pods that the object owns and that count. */
  get active(): Pod[] {
    const { metadata, spec } = this.object ?? {};
    const owned = this.#props.server.list(pods).filter((pod) => controllerOf(pod)?.uid === metadata?.uid);
    return owned.filter((pod) => isActive(pod) && spec !== undefined && isCounted(spec.selector, pod));
  }

  create(): void {
    const { server, spec } = this.#props;
    const whole = { ...spec, selector: { matchLabels: { app: 'web' } }, template: template(0) };
    server.create(myDeployments, { metadata: WEB, spec: whole }, 'user');
  }

  /** The objects of the other tenant go. */
  disperse(): void {
    const { server } = this.#props;
    for (const object of server.list(myDeployments)) {
      if (object.metadata.namespace === CROWD) server.remove(myDeployments, object, 'user');
    }
  }

  /** Takes back what would keep a rollout from finishing, and nothing else: an operator that gave up must not be woken. */
  relent(): void {
    const { metadata, spec } = this.object ?? {};
    if (metadata?.annotations?.[ROLLBACK_TO] !== undefined) this.#annotate({ [ROLLBACK_TO]: null });
    if (spec?.paused) this.#edit({ paused: false });
    const image = spec?.template.spec?.containers[0]?.image;
    if (image === BAD_IMAGE || image === CRASHING_IMAGE) this.#edit({ template: template(1) });
  }

  readonly deeds: Effects<Deed> = {
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
      if (this.object) this.#props.server.delete(myDeployments, WEB, { propagationPolicy: policy, actor: 'user' });
    },
    crowd: () => this.#crowd(),
    recreateObject: () => {
      if (this.object === undefined) this.create();
    },
    killPod: ({ pick }) =>
      this.#harm(pick, ({ metadata }) => {
        this.#props.server.delete(pods, metadata, { actor: 'user' });
      }),
    failPod: ({ pick }) =>
      this.#harm(pick, (pod) => this.#props.server.edit(pods, { ...pod, status: { phase: 'Failed' } }, 'kubelet')),
    unreadyPod: ({ pick }) => this.#harm(pick, (pod) => this.#props.agents.trip(pod)),
    relabelPod: ({ pick }) => this.#harm(pick, (pod) => this.#relabel(pod, 'debug')),
    cheapenPod: ({ pick }) =>
      this.#onPod(pick, (pod) => this.#annotatePod(pod, { 'controller.kubernetes.io/pod-deletion-cost': '-5' })),
    scribbleOnPod: ({ pick, text }) =>
      this.#harm(pick, (pod) => {
        this.#props.scribbledOn.add(pod.metadata.name);
        this.#annotatePod(pod, { 'kubebuilder.zq.com/in-place': text });
      }),
    unhashPod: ({ pick }) =>
      this.#harm(pick, (pod) => {
        const { app = '' } = pod.metadata.labels ?? {};
        this.#props.server.edit(pods, { ...pod, metadata: { ...pod.metadata, labels: { app } } }, 'user');
      }),
    // As `kubectl debug --copy-to --keep-labels` makes one.
    orphanPod: ({ pick }) =>
      this.#onPod(pick, ({ metadata: { labels = {} }, spec }) => this.#addPod('orphan', { labels }, spec)),
    barePod: ({ hash }) => this.#addPod('bare', { labels: labelsWith(hash) }),
    strangerPod: ({ hash }) => this.#addPod('stranger', { labels: labelsWith(hash), ownerReferences: [STRANGER] }),
    removeBarePod: () => {
      const bare = this.#props.server.list(pods).find(({ metadata }) => metadata.name.startsWith('bare'));
      if (bare === undefined) return;
      this.#props.harmed.add(bare.metadata.name);
      this.#props.server.delete(pods, bare.metadata, { actor: 'user' });
    },
    returnPod: () => {
      const pod = this.#props.server.list(pods).find(({ metadata }) => metadata.labels?.app === 'debug');
      if (pod !== undefined && controllerOf(pod) === undefined) this.#relabel(pod, 'web');
    },
    forgetRevision: () => {
      const [revision] = this.#props.server.list(controllerRevisions);
      if (revision === undefined) return;
      this.#props.harmed.add(revision.metadata.name);
      this.#props.server.delete(controllerRevisions, revision.metadata, { actor: 'user' });
    },
  };

  #crowd(): void {
    const { server, spec } = this.#props;
    for (let index = 0; index < CROWD_SIZE; index++) {
      const metadata = { namespace: CROWD, name: `crowd-${index}` };
      if (server.find(myDeployments, metadata) !== undefined) return;
      const whole = { ...spec, selector: { matchLabels: { app: 'crowd' } }, template: template(0) };
      server.create(myDeployments, { metadata, spec: whole }, 'user');
    }
  }

  #edit(spec: Partial<MyDeploymentSpec>): void {
    if (this.object !== undefined)
      this.#props.server.patch(
        myDeployments,
        WEB,
        { type: 'merge', body: { spec: replacing(spec) } },
        { actor: 'user' },
      );
  }

  #annotate(annotations: Readonly<Record<string, string | null>>): void {
    const body = { metadata: { annotations } };
    if (this.object !== undefined)
      this.#props.server.patch(myDeployments, WEB, { type: 'merge', body }, { actor: 'user' });
  }

  /** Puts back the template of the revision before the newest, as a person would who applies an old manifest. */
  #undo(): void {
    const image = this.object?.spec.template.spec?.containers[0]?.image;
    const before = image === 'web:1' ? 0 : 1;
    this.#edit({ template: template(before) });
  }

  #addPod(name: string, metadata: Partial<ObjectMeta>, spec: Pod['spec'] = {}): void {
    this.#serial += 1;
    const { nodeName: _, ...unscheduled } = spec;
    const manifest = { metadata: { ...metadata, namespace: NAMESPACE, name: `${name}-${this.#serial}` } };
    this.#props.server.create<Pod>(pods, { ...manifest, spec: unscheduled }, 'user');
  }

  #relabel(pod: Pod, app: string): void {
    const { metadata } = pod;
    this.#props.server.edit(pods, { ...pod, metadata: { ...metadata, labels: { ...metadata.labels, app } } }, 'user');
  }

  #annotatePod(pod: Pod, added: Readonly<Record<string, string>>): void {
    const annotations = { ...pod.metadata.annotations, ...added };
    this.#props.server.edit(pods, { ...pod, metadata: { ...pod.metadata, annotations } }, 'user');
  }

  #onPod(pick: number, effect: (pod: Pod) => void): void {
    const pod = this.active[pick % Math.max(1, this.active.length)];
    if (pod !== undefined) effect(pod);
  }

  #harm(pick: number, effect: (pod: Pod) => void): void {
    this.#onPod(pick, (pod) => {
      this.#props.harmed.add(pod.metadata.name);
      effect(pod);
    });
  }
}

function template(version: number | 'bad'): MyDeploymentSpec['template'] {
  const image = version === 'bad' ? BAD_IMAGE : `web:${version}`;
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image, resources: FEW }] } };
}

function labelsWith(hash: string | undefined): Readonly<Record<string, string>> {
  return { app: 'web', ...(hash !== undefined && { 'pod-template-hash': hash }) };
}

/** Lists in a merge patch replace; a strategy without rollingUpdate has to say so. */
function replacing(spec: Partial<MyDeploymentSpec>): object {
  return spec.strategy?.type === 'Recreate' ? { ...spec, strategy: { type: 'Recreate', rollingUpdate: null } } : spec;
}
