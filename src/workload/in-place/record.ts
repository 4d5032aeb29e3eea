// What a pod that is being changed in place carries in an annotation, so that the change outlives the operator that began it.
// While it is there, the pod belongs to the revision that its labels name, and is unavailable whatever its status says.

import type { Pod } from '../pod.ts';
import { IN_PLACE, IN_PLACE_READY } from './names.ts';

/** A change under way. */
export interface InPlaceRecord {
  /** The hashes of the revisions that the pod comes from and goes to. */
  readonly from: string;
  readonly to: string;
  /** When this phase of the change began. */
  readonly at: string;
  /** Absent while the pod leaves its Services: nothing of it has changed yet. */
  readonly changed?: {
    /** The generation of the pod with the new images. */
    readonly generation: number;
    /** The containers that have to be started anew, as they were before. */
    readonly containers: Readonly<Record<string, NotedContainer>>;
  };
}

export interface NotedContainer {
  /** Empty when it had not been started. */
  readonly id: string;
  readonly restarts: number;
}

/** True of a pod that can leave its Services before it is changed. */
export function hasInPlaceGate({ spec }: Pod): boolean {
  return spec?.readinessGates?.some(({ conditionType }) => conditionType === IN_PLACE_READY) ?? false;
}

/** The change that a pod is under; undefined when there is none, or when the annotation cannot be read. */
export function inPlaceRecord({ metadata }: Pod): InPlaceRecord | undefined {
  const text = metadata.annotations?.[IN_PLACE];
  if (text === undefined) return undefined;
  try {
    const record = JSON.parse(text);
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

export function formatInPlaceRecord(record: InPlaceRecord): string {
  return JSON.stringify(record);
}

function isRecord(value: unknown): value is InPlaceRecord {
  const { from, to, at, changed } = (value ?? {}) as Partial<InPlaceRecord>;
  const isText = [from, to, at].every((text) => typeof text === 'string') && !Number.isNaN(Date.parse(at as string));
  return isText && (changed === undefined || isNoted(changed));
}

function isNoted({ generation, containers }: Partial<NonNullable<InPlaceRecord['changed']>>): boolean {
  return (
    Number.isSafeInteger(generation) &&
    typeof containers === 'object' &&
    containers !== null &&
    Object.values(containers).every(({ id, restarts }) => typeof id === 'string' && Number.isSafeInteger(restarts))
  );
}
