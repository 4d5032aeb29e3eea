// The MyDeployment of the demo, `web`: its manifests, which the commands name, and the queries of the checks. No containers run
// on the embedded cluster: annotations tell its nodes when a pod becomes ready, and whether it fails.

import type { Stage } from './stage.ts';

const TEMPLATE = `  template:
    metadata:
      labels:
        app: web
      annotations:
        cluster.mydeployment/ready-after: 500ms
    spec:
      containers:
        - name: nginx
          image: nginx:1.27
`;

/** What the demo finds in its directory. */
export const FILES: Readonly<Record<string, string>> = {
  'web.yaml': `apiVersion: kubebuilder.zq.com/v1beta1
kind: MyDeployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
${TEMPLATE}`,
  'broken.yaml': `spec:
  template:
    metadata:
      annotations:
        cluster.mydeployment/behaviour: image-pull-error
    spec:
      containers:
        - name: nginx
          image: nginx:no-such-tag
`,
  'policy.yaml': `apiVersion: kubebuilder.zq.com/v1alpha1
kind: RolloutPolicy
metadata:
  name: web
spec:
  targetRef:
    name: web
  steps:
    - replicas: 1
      pause: {until: Promoted}
  rollback: {}
`,
  'mended.yaml': `spec:
  template:
    metadata:
      annotations:
        cluster.mydeployment/behaviour: null
    spec:
      containers:
        - name: nginx
          image: nginx:1.30
`,
  'wrong-name.yaml': `apiVersion: kubebuilder.zq.com/v1beta1
kind: MyDeployment
metadata:
  name: wrong
spec:
  selector:
    matchLabels:
      app: wrong
  template:
    metadata:
      labels:
        app: wrong
    spec:
      containers:
        - name: Web_X
          image: nginx:1.27
`,
  'wrong-labels.yaml': `apiVersion: kubebuilder.zq.com/v1beta1
kind: MyDeployment
metadata:
  name: wrong
spec:
  selector:
    matchLabels:
      app: wrong
${TEMPLATE}`,
  'old.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: old
spec:
  replicas: 4
  selector:
    matchLabels:
      app: old
  template:
    metadata:
      labels:
        app: old
    spec:
      containers:
        - name: nginx
          image: nginx:1.27
`,
};

interface PodObject {
  readonly metadata: { readonly uid: string; readonly deletionTimestamp?: string };
  readonly spec: { readonly containers: readonly { readonly image: string }[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

export interface PodFact {
  readonly uid: string;
  readonly image: string;
  readonly ready: boolean;
}

/** The pods with this label that are not on their way out. */
export async function podsOf(stage: Stage, app: string): Promise<PodFact[]> {
  const { items } = await stage.read<{ items: readonly PodObject[] }>(`kubectl get pods -l app=${app} -o json`);
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata, spec, status }) => ({
      uid: metadata.uid,
      image: spec.containers[0]?.image ?? '',
      ready: status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false,
    }));
}

/** What keeps `count` ready pods of this image, and no others, from being what is there; undefined when they are. */
export async function differsFrom(stage: Stage, count: number, image: string): Promise<string | undefined> {
  const pods = await podsOf(stage, 'web');
  const good = pods.filter((pod) => pod.ready && pod.image === image);
  if (good.length === count && pods.length === count) return undefined;
  const shown = pods.map((pod) => `${pod.image}${pod.ready ? '' : ' (not ready)'}`);
  return `there are ${pods.length} pods: ${shown.join(', ') || 'none'}`;
}
