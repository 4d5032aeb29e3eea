// What marks a pod that can be changed in place, and one that is being changed.

const PREFIX = 'kubebuilder.zq.com';

/** A readiness gate: while this condition is not True the pod is not ready, and its Services send it no requests. */
export const IN_PLACE_READY = `${PREFIX}/InPlaceReady`;
/** On a pod that is being changed in place: from which revision to which, and how to tell when it is done (record.ts). */
export const IN_PLACE = `${PREFIX}/in-place`;
