// The nodes of the embedded cluster follow a pod that changes as a kubelet does: they say which spec they have seen, restart
// containers of other images, resize containers that run, and respect readiness gates.

import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { BEHAVIOUR, type Behaviour, MISSING_TAG, READY_AFTER, RESIZE } from '../../src/cluster/kwok/pod-stages.ts';
import { type Pod, pods } from '../../src/runtime/built-in.ts';
import { AuditLog } from '../bench/audit-log.ts';
import { useOwnCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';

const { client, cluster, ...own } = await useOwnCluster({ name: 'kubelet', nodes: 1, audit: true });
const audit = new AuditLog(join(cluster.home, 'logs', 'audit.log'));
const namespace = await own.namespace();
const GATE = 'example.com/serves';

interface Wish {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly gates?: readonly string[];
  readonly containers?: readonly object[];
}

const APP = { name: 'app', image: 'app:v1', resources: { requests: { cpu: '100m' } } };
const SIDECAR = { name: 'log', image: 'log:v1' };

async function create(name: string, { annotations = {}, gates = [], containers = [APP] }: Wish = {}): Promise<Pod> {
  const readinessGates = gates.map((conditionType) => ({ conditionType }));
  const spec = { containers, readinessGates, terminationGracePeriodSeconds: 1 };
  return client.create(pods, { metadata: { namespace, name, annotations }, spec } as never);
}

/** Waits until the node has seen the pod's spec, and until its status contains this. */
function settled(name: string, status: object): Promise<Pod> {
  return eventually(async () => {
    const pod = await client.get(pods, { namespace, name });
    expect(pod.status).toMatchObject({ ...status, observedGeneration: pod.metadata.generation });
    return pod;
  });
}

const ready = (truth: 'True' | 'False', of: object = {}): object => ({
  conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: truth, ...of })]),
});
const pending = (reason: string): object => ({ type: 'PodResizePending', status: 'True', reason });
const idsOf = ({ status }: Pod): (string | undefined)[] =>
  (status?.containerStatuses ?? []).map(({ containerID }) => containerID);
const readySince = ({ status }: Pod): Date | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime as Date | undefined;

async function setImage(name: string, image: string): Promise<void> {
  const body = { spec: { containers: [{ name: 'app', image }] } };
  await client.patch(pods, { namespace, name }, { type: 'strategic', body });
}

async function resize(name: string, cpu: string): Promise<void> {
  const body = { spec: { containers: [{ name: 'app', resources: { requests: { cpu } } }] } };
  await client.patch(pods, { namespace, name }, { type: 'strategic', body }, { subresource: 'resize' });
}

async function annotate(name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
  await client.patch(pods, { namespace, name }, { type: 'merge', body: { metadata: { annotations } } });
}

async function setGate(name: string, status: 'True' | 'False'): Promise<void> {
  const body = { status: { conditions: [{ type: GATE, status }] } };
  await client.patch(pods, { namespace, name }, { type: 'strategic', body }, { subresource: 'status' });
}

describe('a new pod', () => {
  it('becomes Ready with a single write, which says what was seen of it', async () => {
    const mark = await audit.mark();
    await create('new', { containers: [APP, SIDECAR] });
    const pod = await settled('new', ready('True'));
    expect(pod.status?.containerStatuses).toMatchObject([
      { name: 'app', image: 'app:v1', restartCount: 0, resources: { requests: { cpu: '100m' } } },
      { name: 'log', image: 'log:v1', restartCount: 0 },
    ]);
    expect(new Set(idsOf(pod)).size).toBe(2);
    await create('next');
    await settled('next', ready('True'));
    const { byVerb } = await audit.since(mark, ['kwok']);
    expect(byVerb).toMatchObject({ 'patch pods/status': 2 });
  });
});

describe('another image', () => {
  it('restarts the containers that have it, and no others', async () => {
    await create('changed', { containers: [APP, SIDECAR] });
    const [app, log] = idsOf(await settled('changed', ready('True')));
    await setImage('changed', 'app:v2');
    const pod = await settled('changed', {
      ...ready('True'),
      containerStatuses: [
        { image: 'app:v2', restartCount: 1, ready: true, lastState: { terminated: { containerID: app, exitCode: 0 } } },
        { image: 'log:v1', restartCount: 0, ready: true, containerID: log },
      ],
    });
    expect(idsOf(pod)[0]).not.toBe(app);
    await setImage('changed', 'app:v1');
    const back = await settled('changed', { ...ready('True'), containerStatuses: [{ restartCount: 2 }, {}] });
    expect(new Set([...idsOf(pod), ...idsOf(back), app]).size).toBe(4);
  });

  it('makes the pod unready until its container has started', async () => {
    await create('slow', { annotations: { [READY_AFTER]: '1s' } });
    const before = await settled('slow', ready('True'));
    await setImage('slow', 'app:v2');
    const waiting = { image: 'app:v2', restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } };
    await settled('slow', { ...ready('False', { reason: 'ContainersNotReady' }), containerStatuses: [waiting] });
    const after = await settled('slow', { ...ready('True'), containerStatuses: [{ restartCount: 1 }] });
    expect(readySince(after)).not.toBe(readySince(before));
    expect(after.status?.podIP).toBe(before.status?.podIP);
  });

  it('that does not exist keeps the container waiting until there is a better one', async () => {
    await create('missing', { containers: [APP, SIDECAR] });
    const [, log] = idsOf(await settled('missing', ready('True')));
    await setImage('missing', `app:${MISSING_TAG}`);
    const waiting = { ready: false, restartCount: 0, state: { waiting: { reason: 'ImagePullBackOff' } } };
    const others = { ready: true, containerID: log };
    await settled('missing', { phase: 'Running', ...ready('False'), containerStatuses: [waiting, others] });
    await setImage('missing', 'app:v1');
    await settled('missing', { ...ready('True'), containerStatuses: [{ restartCount: 1, ready: true }, others] });
  });

  it('that never existed leaves a new pod pending', async () => {
    await create('never', { containers: [{ name: 'app', image: `app:${MISSING_TAG}` }] });
    const waiting = { restartCount: 0, state: { waiting: { reason: 'ImagePullBackOff' } } };
    const pod = await settled('never', { phase: 'Pending', ...ready('False'), containerStatuses: [waiting] });
    expect(idsOf(pod)).toEqual([undefined]);
  });

  it('starts behind a readiness probe that fails, too', async () => {
    await create('failing', { annotations: { [BEHAVIOUR]: 'not-ready' satisfies Behaviour } });
    await settled('failing', { ...ready('False'), containerStatuses: [{ state: { running: {} } }] });
    await setImage('failing', 'app:v2');
    const running = { image: 'app:v2', restartCount: 1, ready: false, state: { running: {} } };
    await settled('failing', { ...ready('False'), containerStatuses: [running] });
  });

  it('changes nothing where the kubelet is away', async () => {
    await create('away');
    const { status } = await settled('away', ready('True'));
    await annotate('away', { [BEHAVIOUR]: 'away' });
    await setImage('away', 'app:v2');
    await create('here');
    await settled('here', ready('True'));
    expect((await client.get(pods, { namespace, name: 'away' })).status).toEqual(status);
    await annotate('away', { [BEHAVIOUR]: null });
    await settled('away', { ...ready('True'), containerStatuses: [{ image: 'app:v2', restartCount: 1 }] });
  });
});

describe('a resize', () => {
  it('is done without a restart', async () => {
    await create('grows', { containers: [APP, SIDECAR] });
    const before = await settled('grows', ready('True'));
    await resize('grows', '200m');
    const requests = { cpu: '200m' };
    const after = await settled('grows', {
      ...ready('True'),
      containerStatuses: [{ restartCount: 0, resources: { requests }, allocatedResources: requests }, {}],
    });
    expect(idsOf(after)).toEqual(idsOf(before));
    expect(readySince(after)).toBe(readySince(before));
  });

  it.each(['Infeasible', 'Deferred'] as const)('that is %s stays pending until it is taken back', async (reason) => {
    const name = reason.toLowerCase();
    await create(name, { annotations: { [RESIZE]: reason } });
    await settled(name, ready('True'));
    await resize(name, '9');
    const pod = await settled(name, {
      conditions: expect.arrayContaining([expect.objectContaining(pending(reason))]),
      containerStatuses: [{ resources: { requests: { cpu: '100m' } } }],
    });
    expect(pod.status).toMatchObject(ready('True'));
    await resize(name, '100m');
    await settled(name, { conditions: expect.not.arrayContaining([expect.objectContaining(pending(reason))]) });
  });

  it('and another image at the same time restart the container once', async () => {
    await create('both');
    await settled('both', ready('True'));
    await Promise.all([setImage('both', 'app:v2'), resize('both', '200m')]);
    const container = { image: 'app:v2', restartCount: 1, resources: { requests: { cpu: '200m' } } };
    await settled('both', { ...ready('True'), containerStatuses: [container] });
  });
});

describe('a readiness gate', () => {
  it('keeps the pod from being Ready until its condition is True, and again when it is not', async () => {
    await create('gated', { gates: [GATE] });
    const closed = ready('False', { reason: 'ReadinessGatesNotReady' });
    await settled('gated', { phase: 'Running', ...closed, containerStatuses: [{ ready: true }] });
    await setGate('gated', 'True');
    const open = await settled('gated', ready('True'));
    await setGate('gated', 'False');
    const again = await settled('gated', closed);
    expect(idsOf(again)).toEqual(idsOf(open));
  });

  it('stays closed while the container is restarted', async () => {
    await create('closed', { gates: [GATE] });
    await setGate('closed', 'False');
    await settled('closed', { containerStatuses: [{ ready: true }] });
    await setImage('closed', 'app:v2');
    await settled('closed', { ...ready('False'), containerStatuses: [{ ready: true, restartCount: 1 }] });
    await setGate('closed', 'True');
    await settled('closed', ready('True'));
  });
});
