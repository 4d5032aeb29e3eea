import { describe, expect, it } from '@jest/globals';
import type { Deployment, Service } from '../../../src/kinds/model-box/children.ts';
import type { Snapshot } from '../../../src/kinds/model-box/snapshot.ts';
import { observedStatus, statusUrgency, withFailure } from '../../../src/kinds/model-box/status.ts';
import type { ModelBoxStatus } from '../../../src/kinds/model-box/types.gen.ts';
import { wantedBy } from '../../../src/kinds/model-box/wanted.ts';
import type { StatusUrgency } from '../../../src/runtime/status-writer.ts';
import { addressed, modelBox, NOW, rolledOut, stored } from './fixture.ts';

const object = modelBox({
  ports: [
    { port: 80, name: 'http' },
    { port: 53, name: 'dns', protocol: 'UDP' },
  ],
});
const wanted = wantedBy(object);
const deployment = rolledOut(stored<Deployment>(wanted.deployment));
const service = addressed(stored<Service>(wanted.service));

function statusOf(live: { deployment?: Deployment; service?: Service }, of = object): ModelBoxStatus {
  const found: Snapshot = {
    object: of,
    deployment: { live: live.deployment, answer: undefined },
    service: { live: live.service, answer: undefined },
  };
  return observedStatus(found, wanted, { obstacle: undefined, now: NOW });
}

const reasons = ({ conditions = [] }: ModelBoxStatus): string[] =>
  conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`);

const NONE = { replicas: undefined, updatedReplicas: undefined, availableReplicas: undefined };

describe('the status of a ModelBox', () => {
  it('tells what its Deployment and Service say', () => {
    expect(statusOf({ deployment, service })).toEqual({
      observedGeneration: 1,
      ready: '2/2',
      replicas: 2,
      readyReplicas: 2,
      updatedReplicas: 2,
      availableReplicas: 2,
      selector: 'modelbox=web',
      endpoints: [
        { name: 'http', protocol: 'TCP', address: '10.96.0.7:80' },
        { name: 'dns', protocol: 'UDP', address: '10.96.0.7:53' },
      ],
      conditions: [
        {
          type: 'Available',
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Enough.',
          observedGeneration: 1,
          lastTransitionTime: '2026-01-01T12:00:00Z',
        },
        expect.objectContaining({ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' }),
        expect.objectContaining({ type: 'Ready', status: 'True', reason: 'Ready' }),
      ],
    });
  });

  it('has little to tell before there is anything', () => {
    const status = statusOf({});
    expect(status).toMatchObject({
      ready: '0/2',
      replicas: 0,
      readyReplicas: 0,
      updatedReplicas: 0,
      availableReplicas: 0,
      endpoints: [],
    });
    const { replicas: _, ...spec } = object.spec;
    expect(statusOf({}, { ...object, spec }).ready).toBe('0/1');
    expect(reasons(status)).toEqual([
      'Available Unknown NotReported',
      'Progressing Unknown NotReported',
      'Ready False Missing',
    ]);
  });

  it.each<{ name: string; progress: object; spec?: object; ready: string }>([
    { name: 'all pods there', progress: {}, ready: 'Ready True Ready' },
    { name: 'a pod of the old template left', progress: { replicas: 3 }, ready: 'Ready False RollingOut' },
    { name: 'a pod not updated', progress: { updatedReplicas: 1 }, ready: 'Ready False RollingOut' },
    { name: 'a pod not available', progress: { availableReplicas: 1 }, ready: 'Ready False RollingOut' },
    { name: 'a spec not looked at yet', progress: { observedGeneration: 0 }, ready: 'Ready False RollingOut' },
    { name: 'scaled by another', progress: {}, spec: { replicas: 3 }, ready: 'Ready False RollingOut' },
    { name: 'none asked for, and none spoken of', progress: NONE, spec: { replicas: 0 }, ready: 'Ready True Ready' },
    {
      name: 'none asked for, and not looked at',
      progress: { ...NONE, observedGeneration: undefined },
      spec: { replicas: 0 },
      ready: 'Ready False RollingOut',
    },
    {
      name: 'one, because it does not say how many',
      progress: { replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
      spec: { replicas: undefined },
      ready: 'Ready True Ready',
    },
  ])('is Ready only when nothing is left to do: $name', ({ progress, spec, ready }) => {
    const live = {
      ...deployment,
      spec: { ...deployment.spec, ...spec },
      status: { ...deployment.status, ...progress },
    };
    expect(reasons(statusOf({ deployment: live, service }))).toContain(ready);
  });

  it('is stalled while its Deployment is past the progress deadline, and no longer', () => {
    const overdue = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'too long' };
    const live = { ...deployment, status: { ...deployment.status, conditions: [overdue] } };
    const stalled = statusOf({ deployment: live, service });
    expect(reasons(stalled)).toContain('Stalled True ProgressDeadlineExceeded');
    const again = statusOf({ deployment, service }, { ...object, status: stalled });
    expect(reasons(again).join()).not.toContain('Stalled');
  });

  it.each<{ name: string; spec: object; endpoint: object }>([
    {
      name: 'a node port',
      spec: { ports: [{ port: 80, nodePort: 30010 }] },
      endpoint: { address: '10.96.0.7:80', nodePort: 30010 },
    },
    {
      name: 'no address',
      spec: { clusterIP: 'None', ports: [{ port: 80 }] },
      endpoint: { address: 'web.default.svc:80' },
    },
    {
      name: 'a long address',
      spec: { clusterIP: 'fd00::7', ports: [{ port: 80 }] },
      endpoint: { address: '[fd00::7]:80' },
    },
  ])('says where the service is reached: $name', ({ spec, endpoint }) => {
    const live = { ...service, spec: { ...service.spec, ...spec } };
    expect(statusOf({ deployment, service: live }).endpoints).toEqual([{ protocol: 'TCP', ...endpoint }]);
  });

  it('counts against what the Deployment asks for, whoever has decided that', () => {
    const scaled = { ...deployment, spec: { ...deployment.spec, replicas: 3 } };
    expect(statusOf({ deployment: scaled, service }).ready).toBe('2/3');
  });

  it('has nothing to add to a condition that the Deployment does not explain', () => {
    const terse = {
      ...deployment,
      status: { ...deployment.status, conditions: [{ type: 'Available', status: 'True' }] },
    };
    expect(statusOf({ deployment: terse, service }).conditions?.[0]).toMatchObject({ reason: '', message: '' });
  });

  it("does not speak of somebody else's Deployment", () => {
    const foreign = { ...deployment, metadata: { ...deployment.metadata, ownerReferences: [], labels: {} } };
    expect(statusOf({ deployment: foreign, service })).toMatchObject({ ready: '0/2', replicas: 0 });
  });

  it('keeps the time of a condition that has not changed', () => {
    const before = statusOf({ deployment, service });
    const earlier = (before.conditions ?? []).map((each) => ({ ...each, lastTransitionTime: '2020-01-01T00:00:00Z' }));
    const again = statusOf({ deployment, service }, { ...object, status: { ...before, conditions: earlier } });
    expect(again.conditions).toEqual(earlier);
  });
});

describe('a failed write', () => {
  it('is told by Ready, and by nothing else', () => {
    const planned = statusOf({ deployment, service });
    const told = withFailure(planned, 'Service: port is taken', NOW + 1000);
    expect(told.conditions?.[2]).toMatchObject({
      status: 'False',
      reason: 'ApplyFailed',
      message: 'Service: port is taken',
      lastTransitionTime: '2026-01-01T12:00:01Z',
    });
    expect({ ...told, conditions: told.conditions?.slice(0, 2) }).toEqual({
      ...planned,
      conditions: planned.conditions?.slice(0, 2),
    });
  });
});

describe('what is worth a write', () => {
  const status = statusOf({ deployment, service });
  const failed = withFailure(status, 'no', NOW);
  const judged = (more: object): ModelBoxStatus => ({
    ...status,
    conditions: (status.conditions ?? []).map((condition) => ({ ...condition, ...more })),
  });

  it.each<{
    name: string;
    stored: ModelBoxStatus | undefined;
    next: ModelBoxStatus;
    urgency: StatusUrgency | undefined;
  }>([
    { name: 'the same', stored: status, next: { ...status }, urgency: undefined },
    { name: 'the first', stored: undefined, next: status, urgency: 'now' },
    { name: 'a count', stored: status, next: { ...status, readyReplicas: 1, ready: '1/2' }, urgency: 'later' },
    { name: 'a condition', stored: status, next: failed, urgency: 'now' },
    { name: 'a reworded condition', stored: failed, next: withFailure(failed, 'still no', NOW), urgency: 'later' },
    { name: 'a generation', stored: status, next: { ...status, observedGeneration: 2 }, urgency: 'now' },
    { name: 'an address', stored: status, next: { ...status, endpoints: [] }, urgency: 'now' },
    { name: 'a condition turned', stored: status, next: judged({ status: 'Unknown' }), urgency: 'now' },
    { name: 'a condition for another reason', stored: status, next: judged({ reason: 'Other' }), urgency: 'now' },
    { name: 'another condition', stored: status, next: judged({ type: 'Other' }), urgency: 'now' },
  ])('$name: $urgency', ({ stored: before, next, urgency }) => {
    expect(statusUrgency(before, next)).toBe(urgency);
  });
});
