// The four smaller kinds: a good spec of each, right values for its fields, and how to tell that the operator has carried
// a spec out, or has said why it cannot.

import { collector } from '../../../src/kinds/collector/schema.ts';
import { imoocPod } from '../../../src/kinds/imooc-pod/schema.ts';
import { modelBox } from '../../../src/kinds/model-box/schema.ts';
import { myDaemonSet } from '../../../src/kinds/my-daemon-set/schema.ts';
import type { CustomResource } from '../../../src/runtime/custom-resource.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import type { Json } from '../../support/merge-patch.ts';
import type { Transition } from './fields.ts';
import { podSamples } from './pod-samples.ts';
import type { Samples } from './samples.ts';
import type { Intent } from './value.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly observedGeneration?: number;
}

export interface SmallObject extends KubeObject {
  readonly spec: Readonly<Record<string, Json>>;
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly Condition[] };
}

export interface SmallKind {
  readonly kind: CustomResource;
  readonly base: Json;
  readonly samples: Samples;
  /** The condition that tells that a spec was carried out, and the reasons that count as an answer besides. */
  readonly done: { readonly type: string; readonly orReasons?: readonly string[] };
  /** Where rules between fields, which a schema's node does not show, decide. */
  readonly exceptions?: readonly Exception[];
}

export interface Exception {
  readonly at: RegExp;
  readonly what: RegExp;
  readonly intent: Intent;
  /** The field that is to blame instead. */
  readonly blames?: string;
}

const LABELS = { key: 'text' };

export const smallKinds: readonly SmallKind[] = [
  {
    kind: imoocPod,
    base: { replicas: 1 },
    samples: { values: [], companions: [], keyAt: () => 'key' },
    done: { type: 'Ready' },
  },
  {
    kind: myDaemonSet,
    base: { image: 'web:v1' },
    samples: {
      values: [
        [/^spec$/, { image: 'web:v1' }],
        [/image$/, 'web:v1'],
        [/maxUnavailable$/, '50%'],
      ],
      companions: [{ at: /^spec$/, fields: { image: 'web:v1' } }],
      keyAt: () => 'key',
    },
    done: { type: 'Ready' },
  },
  {
    kind: modelBox,
    base: { image: 'web:v1', replicas: 1, minReadySeconds: 0, ports: [{ port: 80 }] },
    samples: {
      values: [
        [/^spec\.image$/, 'web:v1'],
        [/^spec\.ports$/, [{ port: 80 }]],
        [/^spec\.ports\[\]\.name$/, 'http'],
        [/^spec\.ports\[\]\.nodePort$/, 30_080],
        [/^spec\.rollingUpdate$/, '50%'],
        [/^spec\.(liveness|readiness)Probe$/, { tcpSocket: { port: 80 } }],
        [/^spec\.containers\[\]\.name$/, 'more'],
        [/^spec\.envs\[\]\.name$/, 'NAME'],
        [/^spec\.envs\[\]\.valueFrom$/, { fieldRef: { fieldPath: 'metadata.name' } }],
        ...podSamples.values.filter(([at]) => !at.source.startsWith('^spec')),
      ],
      companions: [
        { at: /^spec$/, fields: { replicas: 1, minReadySeconds: 0 } },
        ...podSamples.companions.filter(({ at }) => !at.source.startsWith('^spec')),
      ],
      keyAt: podSamples.keyAt,
    },
    // A port of the nodes outside of the cluster's range, or taken by another: no schema can know.
    done: { type: 'Ready', orReasons: ['ApplyFailed'] },
    exceptions: [
      { at: /^spec\.size$/, what: /^custom$/, intent: 'bad', blames: 'spec.resources' },
      { at: /^spec\.serviceType$/, what: /./, intent: 'open' },
    ],
  },
  {
    kind: collector,
    base: { target: { kind: 'Deployment', name: 'text' } },
    samples: {
      values: [
        [/^spec$/, { target: { kind: 'Deployment', name: 'text' } }],
        [/target$/, { kind: 'Deployment', name: 'text' }],
        [/selector$/, { matchLabels: LABELS }],
      ],
      companions: [{ at: /target$/, towards: /kind$/, fields: { name: 'text' } }],
      keyAt: () => 'key',
    },
    done: { type: 'Ready', orReasons: ['TargetNotFound'] },
  },
];

/** What the kind should say to a value, and of which field. */
export function expectedOf({ exceptions = [] }: SmallKind, { path, what, intent }: Transition): Required<Expected> {
  const exception = exceptions.find(({ at, what: which }) => at.test(path) && which.test(what));
  return { intent: exception?.intent ?? intent, blames: exception?.blames ?? path };
}

type Expected = Pick<Exception, 'intent' | 'blames'>;

/** Whether the operator has answered to the newest spec. */
export function isAnswered({ done }: SmallKind, { metadata, status }: SmallObject): boolean {
  const { type, orReasons = [] } = done;
  const condition = status?.conditions?.find((each) => each.type === type);
  if (status?.observedGeneration !== metadata.generation || condition === undefined) return false;
  return condition.status === 'True' || orReasons.includes(condition.reason);
}
