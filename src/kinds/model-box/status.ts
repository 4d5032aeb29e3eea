// The status of a ModelBox, derived from its Deployment and Service. Ready is stricter than Available: both objects
// match the spec, and every pod has the newest template and is available.

import { type Condition, type ConditionUpdate, removeCondition, setCondition } from '../../runtime/conditions.ts';
import type { StatusUrgency } from '../../runtime/status-writer.ts';
import { formatSelector } from '../../workload/selector.ts';
import { statesOf, urgencyOf } from '../../workload/status-urgency.ts';
import { type Deployment, type Service, standingOf } from './children.ts';
import { isApplied } from './drift.ts';
import type { Snapshot } from './snapshot.ts';
import type { ModelBox, ModelBoxStatus, ModelBoxStatusEndpoint } from './types.gen.ts';
import { HEADLESS, labelsOf, type Wanted } from './wanted.ts';

/** Why the ModelBox is not ready. */
export interface Obstacle {
  readonly reason: 'NameTaken' | 'Terminating' | 'ApplyFailed';
  readonly message: string;
}

type Judgement = Pick<ConditionUpdate, 'status' | 'reason' | 'message'>;

export interface Circumstances {
  readonly obstacle: Obstacle | undefined;
  readonly now: number;
}

/** The status for the objects that were found. */
export function observedStatus(snapshot: Snapshot, wanted: Wanted, { obstacle, now }: Circumstances): ModelBoxStatus {
  const { object } = snapshot;
  const found = { deployment: ours(object, snapshot.deployment.live), service: ours(object, snapshot.service.live) };
  const { deployment } = found;
  const { replicas = 0, readyReplicas = 0, updatedReplicas = 0, availableReplicas = 0 } = deployment?.status ?? {};
  const status: ModelBoxStatus = {
    observedGeneration: object.metadata.generation ?? 0,
    ready: `${readyReplicas}/${deployment?.spec.replicas ?? object.spec.replicas ?? 1}`,
    replicas,
    readyReplicas,
    updatedReplicas,
    availableReplicas,
    selector: formatSelector({ matchLabels: labelsOf(object) }),
    endpoints: endpointsOf(found.service),
    ...(object.status?.conditions && { conditions: object.status.conditions }),
  };
  const judgements: Readonly<Record<string, Judgement>> = {
    Available: ofDeployment(deployment, 'Available'),
    Progressing: ofDeployment(deployment, 'Progressing'),
    Ready: obstacle ? { status: 'False', ...obstacle } : readiness(found, wanted),
  };
  const said = Object.entries(judgements).reduce((all, [type, judgement]) => judged(all, type, judgement, now), status);
  const stalled = stalledBy(deployment, obstacle);
  if (stalled !== undefined) return judged(said, 'Stalled', stalled, now);
  const { conditions } = said;
  return { ...said, ...(conditions && { conditions: removeCondition(conditions, 'Stalled') }) };
}

/** What does not pass by itself. kstatus, by which Helm and Flux judge, then calls the ModelBox failed. */
function stalledBy(deployment: Deployment | undefined, obstacle: Obstacle | undefined): Judgement | undefined {
  if (obstacle?.reason === 'NameTaken') return { status: 'True', ...obstacle };
  const { reason, message } = ofDeployment(deployment, 'Progressing');
  return reason === 'ProgressDeadlineExceeded' ? { status: 'True', reason, message } : undefined;
}

/** The planned status when a write has failed. */
export function withFailure(planned: ModelBoxStatus, message: string, now: number): ModelBoxStatus {
  return judged(planned, 'Ready', { status: 'False', reason: 'ApplyFailed', message }, now);
}

/** Conditions and endpoints are written at once, counts may be coalesced. */
export function statusUrgency(stored: ModelBoxStatus | undefined, next: ModelBoxStatus): StatusUrgency | undefined {
  return urgencyOf(stored, next, ({ conditions = [], observedGeneration, endpoints }) => ({
    states: statesOf(conditions),
    observedGeneration,
    endpoints,
  }));
}

function judged(status: ModelBoxStatus, type: string, judgement: Judgement, now: number): ModelBoxStatus {
  const update: ConditionUpdate = { type, ...judgement, observedGeneration: status.observedGeneration ?? 0 };
  return { ...status, conditions: setCondition(status.conditions as Condition[] | undefined, update, now) };
}

/** Objects of our name that belong to others are ignored. */
function ours<T extends Deployment | Service>(object: ModelBox, live: T | undefined): T | undefined {
  return live === undefined || standingOf(object, live) === 'foreign' ? undefined : live;
}

/** The message of the Deployment's own condition. */
function ofDeployment(deployment: Deployment | undefined, type: string): Judgement {
  const condition = deployment?.status?.conditions?.find((each) => each.type === type);
  if (condition === undefined) {
    return {
      status: 'Unknown',
      reason: 'NotReported',
      message: `The Deployment does not say whether it is ${type} yet`,
    };
  }
  const { status, reason = '', message = '' } = condition;
  return { status: status as Judgement['status'], reason, message };
}

interface OurChildren {
  readonly deployment: Deployment | undefined;
  readonly service: Service | undefined;
}

function readiness({ deployment, service }: OurChildren, wanted: Wanted): Judgement {
  const no = (reason: string, message: string): Judgement => ({ status: 'False', reason, message });
  if (deployment === undefined) return no('Missing', 'There is no Deployment yet');
  if (service === undefined) return no('Missing', 'There is no Service yet');
  if (!isApplied(deployment, wanted.deployment)) return no('OutOfDate', 'The Deployment is out of date');
  if (!isApplied(service, wanted.service)) return no('OutOfDate', 'The Service is out of date');
  return isRolledOut(deployment)
    ? { status: 'True', reason: 'Ready', message: 'Every pod is as the spec says, and available' }
    : no('RollingOut', 'Not every pod is as the spec says, and available');
}

function isRolledOut({ metadata, spec: { replicas: desired = 1 }, status = {} }: Deployment): boolean {
  const { observedGeneration = 0, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  return (
    observedGeneration >= (metadata.generation ?? 0) &&
    [replicas, updatedReplicas, availableReplicas].every((count) => count === desired)
  );
}

function endpointsOf(service: Service | undefined): readonly ModelBoxStatusEndpoint[] {
  const { clusterIP, ports = [] } = service?.spec ?? {};
  if (service === undefined || !clusterIP) return [];
  const { name, namespace } = service.metadata;
  const host = clusterIP === HEADLESS ? `${name}.${namespace}.svc` : clusterIP;
  return ports.map((port) => ({
    ...(port.name && { name: port.name }),
    protocol: port.protocol ?? 'TCP',
    address: `${host.includes(':') ? `[${host}]` : host}:${port.port}`,
    ...(port.nodePort && { nodePort: port.nodePort }),
  }));
}
