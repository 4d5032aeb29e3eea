import { describe, expect, it } from '@jest/globals';
import { observe } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import { plain } from '../../../src/kubectl/terminal/style.ts';
import type { CauseName, Facts } from '../../../src/kubectl/why/cause.ts';
import { why, whyLines } from '../../../src/kubectl/why/diagnosis.ts';
import { mixedPods, myDeployment, revision, secondsAgo } from '../../kinds/my-deployment/fixture.ts';
import { policy } from '../policy/scene.ts';
import { container, eventAbout, factsOf, type PodState, unfinished, withCondition } from './facts.ts';

const found = (facts: Facts) => why(facts).map(({ name, sentence }) => `${name}: ${sentence}`);

describe('why pods cannot be made', () => {
  const refused = (message: string) =>
    factsOf(withCondition('ReplicaFailure', 'FailedCreate', `pods "web-1" is forbidden: ${message}`));

  it.each<{ name: CauseName; message: string; says: string }>([
    {
      name: 'quota',
      message: 'exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2',
      says: 'ResourceQuota "few" is used up: one more pod would need pods=1.',
    },
    {
      name: 'quota',
      message: 'failed quota: few: must specify limits.cpu for: web',
      says: 'ResourceQuota "few" wants every pod to say limits.cpu for: web, and the template does not.',
    },
    {
      name: 'limit-range',
      message: '[maximum cpu usage per Container is 1, but limit is 2]',
      says: 'A LimitRange of the namespace refuses the pods: maximum cpu usage per Container is 1, but limit is 2.',
    },
    {
      name: 'pod-security',
      message: 'violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
      says: 'The namespace enforces PodSecurity "baseline:latest", which the template violates: host namespaces (hostNetwork=true).',
    },
    {
      name: 'webhook-denied',
      message: 'admission webhook "guard.example.com" denied the request: no thanks',
      says: 'Admission webhook "guard.example.com" refuses the pods: no thanks.',
    },
    {
      name: 'webhook-unreachable',
      message: 'Internal error occurred: failed calling webhook "guard.example.com": connection refused',
      says: 'Admission webhook "guard.example.com" cannot be reached, and its failurePolicy forbids creating pods without it: connection refused.',
    },
    {
      name: 'admission-policy',
      message: "ValidatingAdmissionPolicy 'tidy' with binding 'tidy-all' denied request: no team",
      says: 'ValidatingAdmissionPolicy "tidy" refuses the pods: no team.',
    },
    {
      name: 'service-account',
      message: 'error looking up service account shop/nobody: serviceaccount "nobody" not found',
      says: 'ServiceAccount "shop/nobody" does not exist.',
    },
    {
      name: 'priority-class',
      message: 'no PriorityClass with name royal was found',
      says: 'PriorityClass "royal" does not exist.',
    },
    {
      name: 'changed-on-admission',
      message: 'pod "web-1" lost the labels app=web on admission: a mutating webhook or policy changes it',
      says: 'A mutating webhook or policy takes the labels app=web from new pods, so that they cannot be kept.',
    },
    {
      name: 'selector',
      message: 'no pod of this template can match pod-template-hash=mine',
      says: 'No pod can match pod-template-hash=mine, because the operator sets that label itself.',
    },
    { name: 'create-failed', message: 'something new', says: 'The API server refuses to create pods.' },
  ])('$name: $says', ({ name, message, says }) => {
    const [first] = why(refused(message));
    expect(first).toMatchObject({ name, sentence: says, evidence: [expect.stringContaining(message)] });
  });
});

it.each<{ reason: string; name: CauseName; says: RegExp }>([
  { reason: 'FailedAdopt', name: 'adopt-failed', says: /refuses to let it adopt/ },
  { reason: 'FailedRelease', name: 'release-failed', says: /refuses to let it release/ },
])('a refused claim is told for what it is: $reason', ({ reason, name, says }) => {
  const denied = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: it is protected";
  const [first] = why(factsOf(withCondition('ReplicaFailure', reason, denied)));
  expect(first).toMatchObject({ name, evidence: [expect.stringContaining(denied)] });
  expect(first?.sentence).toMatch(says);
});

const leaseRenewed = (seconds: number): Facts['lease'] => ({
  metadata: { name: 'manager', uid: 'l', resourceVersion: '1' },
  spec: { renewTime: secondsAgo(seconds) },
});

/** The API server notes when each manager wrote last; the operator's own status writes count for nothing here. */
const changed = (seconds: number): object => ({
  generation: 3,
  managedFields: [
    { manager: 'kubectl', operation: 'Update', time: secondsAgo(seconds) },
    { manager: 'mydeployment', operation: 'Update', subresource: 'status', time: secondsAgo(0) },
  ],
});

describe('what the object tells', () => {
  it.each<{ name: CauseName; facts: Facts; says: RegExp }>([
    { name: 'paused', facts: factsOf(unfinished({ paused: true, version: 'v9' })), says: /a new template waits/ },
    {
      name: 'operator-away',
      facts: factsOf(unfinished({ metadata: { generation: 3 } })),
      says: /has not seen the newest spec \(generation 3, it saw 1\)/,
    },
    {
      name: 'operator-away',
      facts: factsOf(unfinished(), [], {
        lease: leaseRenewed(300),
      }),
      says: /^The operator does not run: it renewed its lease 5m ago\.$/,
    },
    {
      name: 'deleting',
      facts: factsOf(unfinished({ metadata: { deletionTimestamp: secondsAgo(3) } })),
      says: /is being deleted/,
    },
    {
      name: 'deadline',
      facts: factsOf(withCondition('Progressing', 'ProgressDeadlineExceeded', 'timed out')),
      says: /It has counted as failed for 60s: no progress within 600 s/,
    },
    {
      name: 'stalled',
      facts: factsOf(withCondition('Stalled', 'SelectingAll', 'This MyDeployment is selecting all pods')),
      says: /^The operator does nothing with this spec: This MyDeployment is selecting all pods\.$/,
    },
    {
      name: 'revision-failed',
      facts: factsOf(withCondition('Progressing', 'ReplicaSetCreateError', 'quota')),
      says: /could not be recorded/,
    },
    {
      name: 'just-changed',
      facts: factsOf(unfinished({ metadata: { generation: 3 } }), [], { lease: leaseRenewed(2) }),
      says: /^The spec has just changed \(generation 3\): the operator runs, and has not reported on this generation yet\.$/,
    },
    {
      name: 'just-changed',
      facts: factsOf(unfinished({ status: undefined, metadata: changed(2) }), [], { lease: leaseRenewed(2) }),
      says: /^The spec changed 2s ago \(generation 3\): the operator runs, and has not reported on this generation yet\.$/,
    },
    {
      name: 'just-changed',
      facts: factsOf(unfinished({ metadata: changed(1) })),
      says: /^The spec changed 1s ago \(generation 3\): the operator has not reported on this generation yet\.$/,
    },
    {
      name: 'operator-away',
      facts: factsOf(unfinished({ metadata: changed(90) })),
      says: /^The operator has not seen the newest spec \(generation 3, it saw 1\): it does not run, or is far behind\.$/,
    },
    {
      name: 'operator-away',
      facts: factsOf(unfinished({ metadata: changed(90) }), [], { lease: leaseRenewed(2) }),
      says: /^The spec changed 90s ago \(generation 3\): the operator runs, but is far behind: it saw generation 1\.$/,
    },
    {
      name: 'operator-away',
      facts: factsOf(unfinished({ metadata: changed(1) }), [], { lease: leaseRenewed(300) }),
      says: /^The operator does not run: it renewed its lease 5m ago, and has not seen the newest spec \(generation 3, it saw 1\)\.$/,
    },
    { name: 'moving', facts: factsOf(unfinished()), says: /2 of 2 updated, 0 available/ },
    {
      name: 'complete',
      facts: factsOf(
        myDeployment({
          replicas: 2,
          status: { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 2 },
        }),
      ),
      says: /all 2 replicas are updated and available/,
    },
    {
      name: 'complete',
      facts: factsOf(
        myDeployment({
          replicas: 1,
          status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
        }),
      ),
      says: /^Nothing is wrong: its 1 replica is updated and available\.$/,
    },
    {
      name: 'complete',
      facts: factsOf(myDeployment({ replicas: 0, status: { observedGeneration: 1, replicas: 0 } })),
      says: /asks for no replicas and has none/,
    },
  ])('$name: $says', ({ name, facts, says }) => {
    expect(why(facts)).toEqual([expect.objectContaining({ name, sentence: expect.stringMatching(says) })]);
  });
});

describe('the conditions that other tools wait for', () => {
  it('are evidence while it moves', () => {
    const facts = factsOf(withCondition('Reconciling', 'PodsNotReady', 'Not all pods\nare ready.'));
    expect(why(facts)).toEqual([
      expect.objectContaining({
        name: 'moving',
        evidence: ['condition Reconciling (PodsNotReady): Not all pods are ready.'],
      }),
    ]);
  });

  it('are evidence of a complete rollout that is paused, for which Helm and Flux wait', () => {
    const conditions = [{ type: 'Reconciling', status: 'True', reason: 'DeploymentPaused', message: 'It is paused.' }];
    const status = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 2, conditions };
    const [complete] = why(factsOf(unfinished({ paused: true, version: 'v2', status: status as never })));
    expect(complete).toMatchObject({
      name: 'complete',
      evidence: ['condition Reconciling (DeploymentPaused): It is paused.'],
    });
  });

  it('of a passed deadline are told once', () => {
    const [timedOut] = withCondition('Progressing', 'ProgressDeadlineExceeded', '').status?.conditions ?? [];
    const late = withCondition('Stalled', 'ProgressDeadlineExceeded', 'No progress.');
    const conditions = [...(late.status?.conditions ?? []), timedOut as NonNullable<typeof timedOut>];
    const facts = factsOf({ ...late, status: { ...late.status, replicas: 0, conditions } } as typeof late);
    expect(why(facts).map(({ name }) => name)).toEqual(['deadline']);
  });
});

describe('the way back after a deadline', () => {
  const late = withCondition('Progressing', 'ProgressDeadlineExceeded', 'timed out');

  it('is offered where there is an earlier revision', () => {
    const earlier = revision(late, 'v1', { number: 1, replicas: 0 });
    const facts = factsOf(late, [], {}, [earlier]);
    expect(why(facts)[0]?.advice).toBe('kubectl md rollout undo web returns to revision 1.');
  });

  it('is not offered where there is none', () => {
    expect(why(factsOf(late))[0]?.advice).toBe(
      'There is no earlier revision to return to: correct spec.template, and the operator rolls it out.',
    );
  });
});

describe('what the pods tell', () => {
  const unscheduled = (reason: string, message: string): PodState => ({
    status: { conditions: [{ type: 'PodScheduled', status: 'False', reason, message }] },
  });
  const running = (status: object): PodState => ({ status: { phase: 'Running', ...status } });
  const pvc: PodState = {
    ...unscheduled('Unschedulable', 'pod has unbound immediate PersistentVolumeClaims.'),
    spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
  };
  const gate: PodState = {
    spec: { readinessGates: [{ conditionType: 'lb/ready' }] },
    status: { phase: 'Running', conditions: [{ type: 'ContainersReady', status: 'True' }] },
  };

  it.each<{ name: CauseName; state: PodState; says: RegExp }>([
    {
      name: 'unschedulable',
      state: unscheduled('Unschedulable', '0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 no victims.'),
      says: /^No node takes pod\/web-\S+: 0\/3 nodes are available: 3 Insufficient cpu\.$/,
    },
    {
      name: 'unschedulable',
      state: unscheduled(
        'Unschedulable',
        '0/3 nodes are available: 3 Insufficient cpu. no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
      ),
      says: /^No node takes pod\/web-\S+: 0\/3 nodes are available: 3 Insufficient cpu\.$/,
    },
    {
      name: 'unschedulable',
      state: unscheduled('Unschedulable', 'running PreBind plugin "X": too slow,'),
      says: /^No node takes pod\/web-\S+: running PreBind plugin "X": too slow\.$/,
    },
    {
      name: 'unschedulable',
      state: unscheduled('Unschedulable', ''),
      says: /^No node takes pod\/web-\S+: the scheduler gives no reason\.$/,
    },
    {
      name: 'container-config',
      state: { status: container({ waiting: { reason: 'RunContainerError', message: 'no such file.' } }) },
      says: /\(RunContainerError\): no such file\.$/,
    },
    {
      name: 'crash-loop',
      state: running(container({ waiting: { reason: 'CrashLoopBackOff' } }, { restartCount: 1 })),
      says: /as soon as it runs; 1 restart so far\.$/,
    },
    {
      name: 'scheduling-gate',
      state: { ...unscheduled('SchedulingGated', ''), spec: { schedulingGates: [{ name: 'g' }] } },
      says: /waits for scheduling gates to be lifted: g\.$/,
    },
    { name: 'volume-claim', state: pvc, says: /PersistentVolumeClaim "data" does not exist\.$/ },
    {
      name: 'image-pull',
      state: { status: container({ waiting: { reason: 'ErrImagePull' } }) },
      says: /cannot pull image "web:v2" \(ErrImagePull\)\.$/,
    },
    {
      name: 'container-config',
      state: {
        status: container({ waiting: { reason: 'CreateContainerConfigError', message: 'secret "s" not found' } }),
      },
      says: /cannot be started \(CreateContainerConfigError\): secret "s" not found\.$/,
    },
    {
      name: 'crash-loop',
      state: running(
        container({ waiting: { reason: 'CrashLoopBackOff' } }, { lastState: { terminated: { exitCode: 2 } } }),
      ),
      says: /ends with exit code 2 as soon as it runs; 4 restarts so far\.$/,
    },
    {
      name: 'out-of-memory',
      state: running(container({ terminated: { exitCode: 137, reason: 'OOMKilled' } })),
      says: /needs more memory than its limit\.$/,
    },
    {
      name: 'init-container',
      state: { status: { initContainerStatuses: container({ terminated: { exitCode: 1 } }).containerStatuses } },
      says: /^Init container "web" of pod\/\S+ fails again and again, and the others wait for it: it ends with exit code 1\.$/,
    },
    {
      name: 'probe',
      state: running(container({ running: {} }, { started: true })),
      says: /runs, but is not ready: the readiness probe of container "web" has not succeeded\.$/,
    },
    {
      name: 'probe',
      state: running(container({ running: {} }, { started: false })),
      says: /the startup probe of container "web"/,
    },
    { name: 'readiness-gate', state: gate, says: /runs, but readiness gate "lb\/ready" is not met\.$/ },
    {
      name: 'evicted',
      state: { status: { phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory.' } },
      says: /ended for good \(Evicted\): The node was low on memory; others take its place\.$/,
    },
    {
      name: 'stuck-terminating',
      state: { metadata: { deletionTimestamp: secondsAgo(60), finalizers: ['f'] } },
      says: /should have ended 60s ago and has not: finalizer "f" is left\.$/,
    },
  ])('$name: $says', ({ name, state, says }) => {
    expect(why(factsOf(unfinished(), [state]))).toEqual([
      expect.objectContaining({
        name,
        sentence: expect.stringMatching(says),
        evidence: expect.arrayContaining([expect.stringMatching(/^pod\/web-/)]),
      }),
    ]);
  });

  it('reports pods with the same problem together, with the event it read', () => {
    const state: PodState = { status: container({ waiting: { reason: 'ImagePullBackOff' } }) };
    const facts = factsOf(unfinished(), [state, state]);
    const events = [eventAbout(facts.pods[0], 'Failed', 'not found')];
    const [cause, ...others] = why({ ...facts, events });
    expect(others).toEqual([]);
    expect(cause?.sentence).toMatch(/^2 pods, e\.g\. pod\/\S+, cannot pull image "web:v2"/);
    expect(cause?.evidence).toContainEqual(expect.stringMatching(/^event Failed of pod\/\S+: not found$/));
  });

  it('sees a lost node, a volume that cannot be mounted, and a budget that holds a drain up', () => {
    const node = { metadata: { name: 'node', uid: 'n', resourceVersion: '1' }, spec: { unschedulable: true } };
    const lost = {
      ...node,
      status: { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }] },
    };
    expect(found(factsOf(unfinished(), [{}], { nodes: [lost] }))).toEqual([
      expect.stringMatching(/^node-lost: Node "node" is not ready, and with it pod\/web-/),
    ]);

    const facts = factsOf(unfinished(), [{}]);
    const events = [eventAbout(facts.pods[0], 'FailedMount', 'secret "s" not found')];
    expect(found({ ...facts, events })).toEqual([
      expect.stringMatching(/^volume-mount: pod\/\S+ cannot mount its volumes: secret "s" not found\.$/),
    ]);

    const budget = {
      metadata: { name: 'keep', uid: 'b', resourceVersion: '1' },
      spec: { selector: { matchLabels: { app: 'web' } } },
      status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
    };
    expect(found(factsOf(unfinished(), [{}], { nodes: [node], budgets: [budget] }))).toContainEqual(
      expect.stringMatching(/^disruption-budget: PodDisruptionBudget "keep" allows no eviction/),
    );
  });
});

describe('the lines', () => {
  it('are a sentence, what it was read from, and what helps', () => {
    const cause = {
      name: 'paused',
      sentence: 'it is paused.',
      evidence: ['spec.paused is true'],
      advice: 'resume it',
    } as const;
    expect(whyLines('web', [cause], plain)).toEqual([
      'mydeployment/web',
      '● it is paused.',
      '    spec.paused is true',
      '    → resume it',
    ]);
  });
});

describe('one of a kind', () => {
  it('is no plural', () => {
    const object = unfinished({ replicas: 1, maxSurge: 0, maxUnavailable: 1 });
    const node = { metadata: { name: 'node', uid: 'n', resourceVersion: '1' }, spec: { unschedulable: true } };
    const budget = {
      metadata: { name: 'keep', uid: 'b', resourceVersion: '1' },
      spec: { selector: { matchLabels: { app: 'web' } } },
      status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
    };
    const lines = whyLines('web', why(factsOf(object, [{}], { nodes: [node], budgets: [budget] })), plain).join('\n');
    expect(lines).toContain('so 1 pod stays on cordoned nodes such as "node"');
    expect(lines).not.toMatch(/\b1 (pods|replicas|restarts)\b/);
  });
});

describe('why a rollout in place takes its time', () => {
  const spec = { nodeName: 'n1', readinessGates: [{ conditionType: 'kubebuilder.zq.com/InPlaceReady' }] };
  const record = { from: 'a', to: 'b', at: '2026-01-01T00:00:00Z' };
  const changed = { ...record, changed: { generation: 2, containers: {} } };
  const state = (annotation: object, status: object): PodState => ({
    metadata: { generation: 2, annotations: { 'kubebuilder.zq.com/in-place': JSON.stringify(annotation) } },
    spec,
    status: { phase: 'Running', observedGeneration: 2, containerStatuses: [{ name: 'web', ready: true }], ...status },
  });
  const deferred = { type: 'PodResizePending', status: 'True', reason: 'Deferred', message: 'Node has no room' };

  it.each<{ annotation: object; status: object; says: RegExp }>([
    { annotation: record, status: {}, says: /is leaving its Services for the grace period/ },
    { annotation: changed, status: { observedGeneration: 1 }, says: /kubelet of node "n1" has not seen it yet/ },
    {
      annotation: changed,
      status: { conditions: [deferred] },
      says: /the resize waits \(Deferred\): Node has no room\./,
    },
    { annotation: changed, status: {}, says: /the new containers are not ready yet/ },
  ])('$says', ({ annotation, status, says }) => {
    const facts = factsOf(unfinished(), [state(annotation, status)]);
    expect(found(facts)).toContainEqual(expect.stringMatching(says));
    expect(why(facts).map(({ name }) => name)).toContain('in-place');
  });

  it.each<{ maxUnavailable: number; says: RegExp }>([
    {
      maxUnavailable: 1,
      says: /2 pods, .* are replaced, not changed in place: it was created without the readiness gate/,
    },
    { maxUnavailable: 0, says: /maxUnavailable allows none/ },
  ])('and why pods are replaced: $says', ({ maxUnavailable, says }) => {
    const object = unfinished({ maxSurge: 1, maxUnavailable });
    const policies = [policy({ spec: { pods: { inPlace: { mode: 'IfPossible' } } } })];
    const old = revision(object, 'v1', { number: 1, replicas: 2 });
    const update = revision(object, 'v2', { number: 2, replicas: 0 });
    const pods = mixedPods(object, old, 2, 2);
    const rollout = observe({ object, revisions: [old, update], pods }, factsOf(object).now);
    const facts = { ...factsOf(object, [], { policies }), rollout, pods: pods as never };
    expect(found(facts)).toContainEqual(expect.stringMatching(says));
    expect(found({ ...facts, policies: [] }).join()).not.toMatch(says);
  });
});
