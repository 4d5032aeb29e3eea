// The public face of the runtime: what an operator needs, whichever kind it is for. `example/config-copy.ts` is a whole
// operator made of it. What is not named here is an implementation detail of its folder.

export * from './built-in.ts';
export { Cache, type CacheOptions, type InformerRequest } from './cache/cache.ts';
export type { Change, ChangeHandler, Informer } from './cache/informer.ts';
export { compareResourceVersions } from './cache/resource-version.ts';
export type { Share } from './cache/shared-parts.ts';
export type { Indexes, IndexFunction } from './cache/store.ts';
export type { Transform } from './cache/transform.ts';
export { CertificateFiles, type CertificateFilesOptions } from './certificates/files.ts';
export type { InjectionTarget } from './certificates/injection.ts';
export { CertificateRotator, type RotatorOptions } from './certificates/rotator.ts';
export type { CertificateSource } from './certificates/source.ts';
export { type Access, type InCluster, readInCluster, readKubeconfig } from './client/access.ts';
export { type Client, type ClientOptions, createClient, type RawAnswer, type RawRequest } from './client/client.ts';
export { Connection, type ConnectionOptions } from './client/connection.ts';
export type * from './client/options.ts';
export type { Fence } from './client/scope.ts';
export { type Clock, monotonicClock, sleep, type Timer, type WallClock, wallClock } from './clock.ts';
export {
  type Condition,
  type ConditionStatus,
  type ConditionUpdate,
  findCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
} from './conditions.ts';
export { Expectations, type ExpectationsOptions } from './consistency/expectations.ts';
export { type LastSynced, lastSyncedOf, WrittenVersions } from './consistency/written-versions.ts';
export { Controller, type ControllerOptions } from './controller/controller.ts';
export type { PaceOf } from './controller/pacer.ts';
export * from './controller/predicates.ts';
export * from './controller/result.ts';
export { keyOfOwner, type MapToKeys, ownKey, type Source } from './controller/sources.ts';
export * from './custom-resource.ts';
export * from './errors.ts';
export type { RecordedEvent } from './events/event.ts';
export { EventBroadcaster, type EventBroadcasterOptions, type EventRecorder } from './events.ts';
export { type FinalizerSteps, withFinalizer } from './finalizer.ts';
export { type InstallationNames, installationNames } from './installation.ts';
export { type Admission, type InstalledKind, type Permission, webhookPath } from './installed-kind.ts';
export { type Instant, later, msBetween } from './instant.ts';
export { addKind, type Declaration, defineKind, type Kind } from './kind.ts';
export { LeaderElector } from './leader-election/elector.ts';
export type { ElectionOptions } from './leader-election/options.ts';
export { LeadershipLost } from './leader-election/tenure.ts';
export { type Fields, type Level, type Logger, silentLogger } from './log.ts';
export { createLogger, formatFor, type LoggerOptions } from './logging/logger.ts';
export { Manager, type ManagerOptions } from './manager/manager.ts';
export type { Phase, Runnable } from './manager/runnable.ts';
export { stopOnSignals } from './manager/signals.ts';
export { createMetrics, type Metrics } from './metrics/metrics.ts';
export * from './object.ts';
export { FlagError, type KindFlag, type OperatorFlags, parseFlags, USAGE } from './operator/flags.ts';
export {
  accessOf,
  createOperator,
  type Operator,
  type OperatorOptions,
  type WebhookPlaces,
} from './operator/operator.ts';
export { type RunOptions, runOperator } from './operator/run.ts';
export { runKinds } from './operator/run-kinds.ts';
export { NotOwnedError, OwnedObjects, type Wanted } from './owned-objects.ts';
export { AlreadyOwnedError, controllerReference, type Owner, setControllerReference } from './owner.ts';
export { toOwn, toRead, toReconcile, toRecordEvents } from './permissions.ts';
export { type BackOffLimits, ExponentialBackOff, type RateLimiter } from './queue/back-off.ts';
export { LOW_PRIORITY, NORMAL_PRIORITY, type QueueOptions, type Taken, WorkQueue } from './queue/queue.ts';
export * from './resource.ts';
export { EventLoopMonitor } from './server/event-loop.ts';
export { type Check, Health } from './server/health.ts';
export { healthServer, metricsServer } from './server/servers.ts';
export { watchesAlive } from './server/watch-check.ts';
export * from './status-schema.ts';
export { type StatusUrgency, StatusWriter, type StatusWriterOptions, type StatusWritten } from './status-writer.ts';
export { migrateStorage } from './storage-migration.ts';
export type { AdmissionRequest, ValidationResult } from './webhook/admission.ts';
export { CONVERSION_PATH, convertObject } from './webhook/conversion.ts';
export * from './webhook/field-error.ts';
export { jsonPatch } from './webhook/json-patch.ts';
export { keepFields } from './webhook/keep-fields.ts';
export { type Defaulter, type Validator, WebhookServer, type WebhookServerOptions } from './webhook/server.ts';
export { validatorOf } from './webhook/validator.ts';
