// What kstatus, by which Helm and Flux wait, makes of an object: the rules that it applies to every kind, and those that it
// knows of Deployments alone. Written from its documentation and behaviour, to compare with.

interface Judged {
  readonly metadata: { readonly generation?: number; readonly deletionTimestamp?: string };
  readonly spec?: object;
  readonly status?: object;
}

interface Conditions {
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
}

export type Verdict = 'Current' | 'InProgress' | 'Failed' | 'Terminating';

/** Of an object whose kind kstatus does not know. */
export function kstatusOf(object: Judged): Verdict {
  return generic(object) ?? (isTrue(object, 'Ready', true) ? 'Current' : 'InProgress');
}

/** Of the same object if it were a Deployment that has native's conditions only. */
export function kstatusOfDeployment(object: Judged): Verdict {
  const native = conditionsOf(object).filter(({ type }) => type !== 'Reconciling' && type !== 'Stalled');
  const deployment = { ...object, status: { ...object.status, conditions: native } };
  const unseen = generic(deployment);
  if (unseen !== undefined) return unseen;
  const spec = object.spec as { readonly replicas?: number; readonly progressDeadlineSeconds?: number };
  const counts = object.status as Readonly<Record<string, number | undefined>>;
  const { replicas: wanted = 1, progressDeadlineSeconds = 600 } = spec;
  const progressing = native.find(({ type }) => type === 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') return 'Failed';
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = counts;
  const isUnfinished = [
    wanted > replicas,
    wanted > updatedReplicas,
    replicas > wanted,
    updatedReplicas > availableReplicas,
    wanted > readyReplicas,
    progressDeadlineSeconds < 2 ** 31 - 1 &&
      (progressing?.reason !== 'NewReplicaSetAvailable' || progressing.status !== 'True'),
    !isTrue(deployment, 'Available', false),
  ];
  return isUnfinished.includes(true) ? 'InProgress' : 'Current';
}

/** Reasons that a policy gives: no Deployment has them, and kstatus has to believe them. */
const OF_POLICY: readonly string[] = [
  ...['AwaitingPromotion', 'StepPaused', 'GatePending', 'RevisionRejected', 'GateFailed', 'PodFailures'],
  ...['StableUnhealthy', 'StableRevisionLost', 'PolicyNotAccepted'],
];

/** Where a MyDeployment says something else to kstatus than a Deployment with the same counts and conditions says. */
export function falseVerdicts(object: Judged): string[] {
  const own = conditionsOf(object).filter(({ type }) => type === 'Reconciling' || type === 'Stalled');
  const said = own.map(({ type, status }) => `${type}=${status}`).join(' and ') || 'neither Reconciling nor Stalled';
  const [verdict, native] = [kstatusOf(object), kstatusOfDeployment(object)];
  return [
    ...(own.length > 1 || own.some(({ status }) => status !== 'True') ? [`the status has ${said}`] : []),
    ...(verdict === native || own.some(({ reason }) => OF_POLICY.includes(reason ?? ''))
      ? []
      : [`the status has ${said}: kstatus says ${verdict}, of a Deployment ${native}`]),
  ];
}

function generic(object: Judged): Verdict | undefined {
  const { generation, deletionTimestamp } = object.metadata;
  if (deletionTimestamp !== undefined) return 'Terminating';
  const { observedGeneration } = (object.status ?? {}) as { readonly observedGeneration?: number };
  if (observedGeneration !== undefined && observedGeneration !== generation) return 'InProgress';
  const first = conditionsOf(object).find(
    ({ type, status }) => status === 'True' && (type === 'Reconciling' || type === 'Stalled'),
  );
  return first && (first.type === 'Stalled' ? 'Failed' : 'InProgress');
}

function isTrue(object: Judged, type: string, otherwise: boolean): boolean {
  const found = conditionsOf(object).find((condition) => condition.type === type);
  return found === undefined ? otherwise : found.status === 'True';
}

function conditionsOf({ status }: Judged): NonNullable<Conditions['conditions']> {
  return (status as Conditions | undefined)?.conditions ?? [];
}
