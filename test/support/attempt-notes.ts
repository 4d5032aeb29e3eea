// What the annotations of a revision note of its attempts, read by those who check the operator and therefore not with the
// operator's code. The arithmetic of steps is that of the contract: docs/rollout-policy.md.

import type { KubeObject } from '../../src/runtime/object.ts';

const PREFIX = 'mydeployment.kubebuilder.zq.com';

export interface StepNote {
  readonly number: number;
  readonly policy: string;
  readonly steps: string;
  readonly step: number;
  readonly stable: string;
  readonly since?: string;
  readonly promoted?: boolean;
}

export interface RejectionNote {
  readonly number: number;
  readonly policy: string;
  readonly stable: string;
  readonly reason: string;
}

export interface Notes {
  readonly desired: number;
  readonly completed: number | undefined;
  readonly step: StepNote | undefined;
  readonly rejected: RejectionNote | undefined;
  readonly promotions: readonly { readonly number: number; readonly step: number }[];
}

export function notesOf({ metadata: { annotations = {} } }: KubeObject): Notes {
  const read = (key: string): unknown => JSON.parse(annotations[`${PREFIX}/${key}`] ?? 'null') ?? undefined;
  return {
    desired: Number(annotations[`${PREFIX}/replicas`] ?? 0),
    completed: read('completed') as number | undefined,
    step: read('step') as StepNote | undefined,
    rejected: read('rejected') as RejectionNote | undefined,
    promotions: (read('promotions') ?? []) as Notes['promotions'],
  };
}

/** True when the note is about this number under this policy. */
export function isBy(note: { readonly number: number; readonly policy: string } | undefined, number: number, uid = '') {
  return note?.number === number && note.policy === uid;
}

/** The most new pods in a step. */
export function capOf(wanted: number | string, replicas: number, surge: number): number {
  if (replicas <= 1) return replicas === 0 ? 0 : Math.min(1, surge);
  const pods = typeof wanted === 'number' ? wanted : Math.ceil((Number.parseInt(wanted, 10) * replicas) / 100);
  return Math.min(pods, replicas - 1);
}
