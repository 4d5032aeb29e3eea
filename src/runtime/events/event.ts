// core/v1 Events, the ones that `kubectl describe` shows below an object: it finds them by `involvedObject`.

import { randomBytes } from 'node:crypto';
import { timestamp } from '../conditions.ts';
import type { KubeObject, Manifest } from '../object.ts';
import type { Resource } from '../resource.ts';

/** What happened, in words. */
export interface RecordedEvent {
  readonly type: 'Normal' | 'Warning';
  /** One word in CamelCase, for programs. */
  readonly reason: string;
  readonly message: string;
}

/** An object that says of which kind it is; items of a list do not. */
export type Typed = KubeObject & { readonly apiVersion: string; readonly kind: string };

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

export interface CoreEvent extends KubeObject {
  readonly involvedObject: ObjectReference;
  readonly type: RecordedEvent['type'];
  readonly reason: string;
  readonly message: string;
  readonly source: { readonly component: string; readonly host?: string };
  readonly reportingComponent: string;
  readonly reportingInstance: string;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly count: number;
}

export type NewEvent = Manifest<CoreEvent> & {
  readonly metadata: { readonly namespace: string; readonly name: string };
};

export const coreEvents: Resource<CoreEvent> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
};

/** The source of the event: the controller, and the pod or host that it runs on. */
export interface Reporter {
  readonly component: string;
  readonly instance?: string;
}

const LONGEST_NAME = 253;

export function referenceTo({ apiVersion, kind, metadata }: Typed): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name, uid, resourceVersion };
}

/** The first event of its sort. */
export function newEvent(
  involvedObject: ObjectReference,
  event: RecordedEvent,
  reporter: Reporter,
  now: number,
): NewEvent {
  const { component, instance } = reporter;
  return {
    // Events about objects without namespace are looked for in `default`.
    metadata: { namespace: involvedObject.namespace ?? 'default', name: eventName(involvedObject.name, now) },
    involvedObject,
    type: event.type,
    reason: event.reason,
    message: event.message,
    source: { component, ...(instance === undefined ? {} : { host: instance }) },
    reportingComponent: component,
    reportingInstance: instance ?? '',
    firstTimestamp: timestamp(now),
    lastTimestamp: timestamp(now),
    count: 1,
  };
}

/** The same event once more, perhaps in other words. */
export function repeated(event: NewEvent, message: string, now: number): NewEvent {
  return { ...event, message, lastTimestamp: timestamp(now), count: event.count + 1 };
}

/** Unique by time and chance, and always a valid name. */
function eventName(object: string, now: number): string {
  const suffix = `.${now.toString(16)}${randomBytes(3).toString('hex')}`;
  const stem = object.slice(0, LONGEST_NAME - suffix.length).replace(/[^a-z0-9]+$/, '');
  return stem + suffix;
}
