// The reasons by which a MyDeployment and its policy say where a rollout stands.

/** Reasons of Reconciling: the rollout goes on by itself, or as soon as a user promotes it. */
export const AWAITING_PROMOTION = 'AwaitingPromotion';
export const STEP_PAUSED = 'StepPaused';
export const GATE_PENDING = 'GatePending';
/** There are surplus pods, until a node is drained. */
export const SURGING_ON_DRAIN = 'SurgingOnDrain';

/** Reasons of Stalled: a user has to act. */
export const REVISION_REJECTED = 'RevisionRejected';
export const GATE_FAILED = 'GateFailed';
export const POD_FAILURES = 'PodFailures';
export const STABLE_UNHEALTHY = 'StableUnhealthy';
export const STABLE_REVISION_LOST = 'StableRevisionLost';
export const POLICY_NOT_ACCEPTED = 'PolicyNotAccepted';

/** The reasons of a rollout that rests in a step with all of its pods available: its deadline stands still. */
export const RESTING: readonly string[] = [AWAITING_PROMOTION, STEP_PAUSED, GATE_PENDING, GATE_FAILED];
