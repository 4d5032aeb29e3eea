// `why` names the cause in broken set-ups of a real cluster. What only a kubelet could do (pulling, probing, mounting) is
// written into a pod's status or an event by the test, in the kubelet's words.

import { describe, expect, it } from '@jest/globals';
import { events } from '../../../src/runtime/built-in.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import { BEHAVIOUR, TERMINATE_AFTER } from '../../../src/testing/index.ts';
import { type Change, type FullPod, pods, rolling, type Scene, version } from '../../e2e/scene.ts';
import { eventually } from '../../support/eventually.ts';
import type { Plugin, Stage } from '../plugin.ts';

interface Broken {
  readonly name: string;
  readonly setUp: (web: Scene) => Promise<unknown>;
  readonly says: readonly RegExp[];
}

const bad = (behaviour: string, more: Change = {}): Change => version('v1', { [BEHAVIOUR]: behaviour, ...more });
const podSpec = (spec: Change): Change => ({ template: { spec } });

async function apply(web: Scene, manifest: object): Promise<void> {
  const { code, stderr } = await web.tryKubectl(['apply', '-f', '-'], JSON.stringify(manifest));
  if (code !== 0) throw new Error(stderr);
}

/** Admission rules take a moment to come into force. */
async function podsRefused(web: Scene): Promise<void> {
  const probe = { metadata: web.ref('probe'), spec: { containers: [{ name: 'a', image: 'a' }] } };
  await eventually(() => expect(web.client.create(pods, probe, { dryRun: true })).rejects.toThrow());
}

/** The one pod there is, once the node has taken it. */
function thePod(web: Scene): Promise<FullPod> {
  return eventually(async () => {
    const [pod] = await web.allPods();
    expect(pod?.status?.containerStatuses).toHaveLength(1);
    return pod as FullPod;
  });
}

/** Writes what a kubelet would say of the only container. */
async function kubeletSays(web: Scene, state: object, lastState: object = {}): Promise<void> {
  const { metadata, status } = await thePod(web);
  const containerStatuses = [{ ...status?.containerStatuses?.[0], ready: false, restartCount: 3, state, lastState }];
  await web.client.patch(
    pods,
    web.ref(metadata.name),
    { type: 'merge', body: { status: { containerStatuses } } },
    { subresource: 'status' },
  );
}

async function tell(web: Scene, { metadata }: KubeObject, reason: string, message: string): Promise<void> {
  await web.client.create(events, {
    metadata: web.ref(`${metadata.name}.${reason.toLowerCase()}`),
    involvedObject: { apiVersion: 'v1', kind: 'Pod', ...web.ref(metadata.name), uid: metadata.uid },
    reason,
    message,
    type: 'Warning',
    lastTimestamp: new Date().toISOString(),
  });
}

const BROKEN: readonly Broken[] = [
  {
    name: 'paused with a new template',
    setUp: async (web) => {
      await web.create({ replicas: 1 });
      await web.complete();
      await web.change({ paused: true, ...version('v2') });
    },
    says: [/It is paused: a new template waits to be rolled out\./, /→ kubectl md rollout resume web/],
  },
  {
    name: 'paused and complete: what Helm and Flux wait for',
    setUp: async (web) => {
      await web.create({ replicas: 1 });
      await web.complete();
      await web.change({ paused: true });
      await web.condition('Reconciling', 'True', 'DeploymentPaused');
    },
    says: [
      /Nothing is wrong: its 1 replica is updated and available\./,
      /condition Reconciling \(DeploymentPaused\): The MyDeployment is paused\./,
    ],
  },
  {
    name: 'a quota that is used up',
    setUp: async (web) => {
      await web.kubectl('create', 'quota', 'few', '--hard=pods=1');
      await eventually(async () =>
        expect(await web.kubectl('get', 'quota', 'few', '-o', 'jsonpath={.status.hard.pods}')).toBe('1'),
      );
      await web.create({ replicas: 2 });
      await web.condition('ReplicaFailure', 'True', 'FailedCreate');
    },
    says: [/ResourceQuota "few" is used up: one more pod would need pods=1\./],
  },
  {
    name: 'a LimitRange',
    setUp: async (web) => {
      const limits = [{ type: 'Container', max: { cpu: '100m' } }];
      await apply(web, { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'small' }, spec: { limits } });
      const container = { name: 'web', image: 'web:v1', resources: { requests: { cpu: '2' }, limits: { cpu: '2' } } };
      await web.create({ replicas: 1, ...podSpec({ containers: [container] }) });
      await web.condition('ReplicaFailure', 'True', 'FailedCreate');
    },
    says: [/A LimitRange of the namespace refuses the pods: maximum cpu usage per Container is 100m, but limit is 2\./],
  },
  {
    name: 'PodSecurity',
    setUp: async (web) => {
      await web.kubectl('label', 'namespace', web.namespace, 'pod-security.kubernetes.io/enforce=restricted');
      await web.create({ replicas: 1 });
      await web.condition('ReplicaFailure', 'True', 'FailedCreate');
    },
    says: [
      /The namespace enforces PodSecurity "restricted:latest", which the template violates: allowPrivilegeEscalation/,
    ],
  },
  {
    name: 'an admission webhook that is away',
    setUp: async (web) => {
      const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];
      const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': web.namespace } };
      const webhook = {
        name: 'guard.example.com',
        rules,
        namespaceSelector,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      };
      const webhooks = [{ ...webhook, clientConfig: { url: 'https://127.0.0.1:1/' } }];
      const metadata = { name: `guard-${web.namespace}` };
      await apply(web, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata,
        webhooks,
      });
      await podsRefused(web);
      await web.create({ replicas: 1 });
      await web.condition('ReplicaFailure', 'True', 'FailedCreate');
    },
    says: [
      /Admission webhook "guard\.example\.com" cannot be reached, and its failurePolicy forbids creating pods without it/,
    ],
  },
  {
    name: 'an admission policy',
    setUp: async (web) => {
      const api = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: `tidy-${web.namespace}` } };
      const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];
      const validations = [{ expression: 'has(object.metadata.labels.team)', message: 'pods need the label team' }];
      await apply(web, {
        ...api,
        kind: 'ValidatingAdmissionPolicy',
        spec: { matchConstraints: { resourceRules }, validations },
      });
      const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': web.namespace } };
      const binding = {
        policyName: api.metadata.name,
        validationActions: ['Deny'],
        matchResources: { namespaceSelector },
      };
      await apply(web, { ...api, kind: 'ValidatingAdmissionPolicyBinding', spec: binding });
      await podsRefused(web);
      await web.create({ replicas: 1 });
      await web.condition('ReplicaFailure', 'True', 'FailedCreate');
    },
    says: [/ValidatingAdmissionPolicy "tidy-[^"]+" refuses the pods: pods need the label team\./],
  },
  {
    name: 'a ServiceAccount that does not exist',
    setUp: async (web) => {
      await web.create({ replicas: 1, ...podSpec({ serviceAccountName: 'nobody' }) });
      await web.condition('ReplicaFailure', 'True', 'FailedCreate');
    },
    says: [/ServiceAccount "[^"]*nobody" does not exist\./],
  },
  {
    name: 'a PriorityClass that does not exist',
    setUp: async (web) => {
      await web.create({ replicas: 1, ...podSpec({ priorityClassName: 'royal' }) });
      await web.condition('ReplicaFailure', 'True', 'FailedCreate');
    },
    says: [/PriorityClass "royal" does not exist\./],
  },
  {
    name: 'no node that fits',
    setUp: async (web) => {
      await web.create({ replicas: 2, ...podSpec({ nodeSelector: { disk: 'golden' } }) });
      await eventually(async () =>
        expect(await web.events((await web.allPods())[0]?.metadata.name)).toContainEqual(
          expect.stringContaining('FailedScheduling'),
        ),
      );
    },
    says: [
      /No node takes (2 pods, e\.g\. )?pod\/web-\S+: .*didn't match Pod's node affinity\/selector\./,
      /event FailedScheduling of pod\/web-/,
    ],
  },
  {
    name: 'a volume claim that does not exist',
    setUp: async (web) => {
      const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
      await web.create({ replicas: 1, ...podSpec({ volumes }) });
      await eventually(async () =>
        expect((await web.allPods())[0]?.status?.conditions).toContainEqual(
          expect.objectContaining({ type: 'PodScheduled', status: 'False' }),
        ),
      );
    },
    says: [/pod\/web-\S+ cannot be scheduled: PersistentVolumeClaim "data" does not exist\./],
  },
  {
    name: 'a scheduling gate',
    setUp: async (web) => {
      await web.create({ replicas: 1, ...podSpec({ schedulingGates: [{ name: 'example.com/capacity' }] }) });
      await eventually(async () => expect(await web.allPods()).toHaveLength(1));
    },
    says: [/pod\/web-\S+ waits for scheduling gates to be lifted: example\.com\/capacity\./],
  },
  {
    name: 'an image that cannot be pulled',
    setUp: async (web) => {
      await web.create({ replicas: 1, ...bad('image-pull-error') });
      await tell(web, await thePod(web), 'Failed', 'Failed to pull image "web:v1": not found');
    },
    says: [
      /pod\/web-\S+ cannot pull image "web:v1" \(ImagePullBackOff\)\./,
      /event Failed of pod\/web-\S+: Failed to pull image "web:v1": not found/,
    ],
  },
  {
    name: 'a container that crashes',
    setUp: async (web) => {
      await web.create({ replicas: 1, ...bad('crash') });
      await thePod(web);
    },
    says: [
      /Container "web" of pod\/web-\S+ ends as soon as it runs; \d+ restarts? so far\./,
      /→ kubectl logs web-\S+ -c web --previous/,
    ],
  },
  {
    name: 'a readiness probe that fails',
    setUp: async (web) => {
      await web.create({ replicas: 1, ...bad('not-ready') });
      await tell(web, await thePod(web), 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503');
    },
    says: [/pod\/web-\S+ runs, but is not ready: Readiness probe failed: HTTP probe failed with statuscode: 503\./],
  },
  {
    name: 'a ConfigMap that does not exist',
    setUp: async (web) => {
      await web.create({ replicas: 1, ...bad('not-ready') });
      const waiting = { reason: 'CreateContainerConfigError', message: 'configmap "settings" not found' };
      await kubeletSays(web, { waiting });
    },
    says: [/cannot be started \(CreateContainerConfigError\): configmap "settings" not found\./],
  },
  {
    name: 'too little memory',
    setUp: async (web) => {
      await web.create({ replicas: 1, ...bad('not-ready') });
      const terminated = { exitCode: 137, reason: 'OOMKilled' };
      await kubeletSays(web, { waiting: { reason: 'CrashLoopBackOff' } }, { terminated });
    },
    says: [/is killed again and again: it needs more memory than its limit\./],
  },
  {
    name: 'a deadline that passed, and why',
    setUp: async (web) => {
      await web.create({ replicas: 1, progressDeadlineSeconds: 1, ...bad('not-ready') });
      await web.condition('Progressing', 'False', 'ProgressDeadlineExceeded');
    },
    says: [
      /is not ready: the readiness probe|is not ready: the startup probe/,
      /It has counted as failed for \d+s: no progress within 1 s\./,
    ],
  },
  {
    name: 'no room left: nothing may go and nothing may come',
    setUp: async (web) => {
      await web.create({ replicas: 2, ...rolling(1, 0), ...version('v0') });
      await web.complete();
      await web.change(bad('not-ready'));
      await web.reach({ replicas: 3, updatedReplicas: 1 });
    },
    says: [
      /1 new pod is not available, so no old one may go: 2 of 2 have to be available, 2 are, and there is no room for more than 3 pods\./,
    ],
  },
  {
    name: 'pods that have to stay ready for a while',
    setUp: async (web) => {
      await web.create({ replicas: 2, minReadySeconds: 300 });
      await web.reach({ readyReplicas: 2 });
    },
    says: [/2 ready pods have to stay ready for 300 s before counting as available; the next does in \dm(\d+s)?\./],
  },
  {
    name: 'an old pod that does not end',
    setUp: async (web) => {
      const spec = { terminationGracePeriodSeconds: 1 };
      const template = version('v1', { [TERMINATE_AFTER]: '1h' }).template as Change;
      await web.create({
        replicas: 1,
        strategy: { type: 'Recreate' },
        template: { ...template, spec: { ...(template.spec as Change), ...spec } },
      });
      await web.complete();
      await web.change(version('v2'));
      await web.reach({ terminatingReplicas: 1 });
      const { metadata } = (await web.allPods())[0] as FullPod;
      await eventually(() =>
        expect(Date.now()).toBeGreaterThan(Date.parse(metadata.deletionTimestamp as string) + 6_000),
      );
    },
    says: [/pod\/web-\S+ should have ended \d+s ago and has not/],
  },
  {
    name: 'an object that is being deleted',
    setUp: async (web) => {
      await web.create({ replicas: 0 }, 'web', { finalizers: ['example.com/hold'] });
      await web.delete();
      return () => web.patch({ metadata: { finalizers: null } });
    },
    says: [/It is being deleted: nothing rolls out any more\./, /finalizer example\.com\/hold is left/],
  },
];

export function whyScenes({ scene }: Stage, { run, open }: Plugin): void {
  describe('why', () => {
    it.concurrent.each(BROKEN)('names the cause: $name', ({ setUp, says }) =>
      scene(async (web) => {
        const cleanUp = await setUp(web);
        await eventually(async () => {
          const { code, stdout } = await run(web.namespace, 'why', 'web');
          expect(code).toBe(0);
          for (const sentence of says) expect(stdout).toMatch(sentence);
        });
        if (typeof cleanUp === 'function') await cleanUp();
      })(),
    );

    it.concurrent(
      'says that nothing is wrong, in green on a terminal',
      scene(async (web) => {
        await web.create({ replicas: 2 });
        await web.complete();
        const terminal = await open(web.namespace, ['why', 'web']);
        expect(await terminal.exited).toBe(0);
        expect(terminal.screen()).toEqual([
          'mydeployment/web',
          '● Nothing is wrong: all 2 replicas are updated and available.',
        ]);
        expect(terminal.raw).toContain('\u001b[32m●');
      }),
    );
  });
}
