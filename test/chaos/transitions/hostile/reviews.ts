// Admission reviews as nobody should send them, each with the answers that are right for it. Whatever arrives is to be
// answered as HTTP or as an AdmissionReview, and harm nobody who comes later.

import type { Knock } from './door.ts';

export interface HostileReview extends Knock {
  readonly name: string;
  /** HTTP statuses that are an answer to this. */
  readonly answers: readonly number[];
  /** More is sent than is read: a sender that has not read the response until then finds the connection closed. */
  readonly isCutOff?: true;
}

/** What is wrong inside of a handler is a 500 and no detail; the failurePolicy of the webhook decides then. */
const JUDGED = [200, 400, 500];

const good = {
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: 'hostile',
    operation: 'CREATE',
    kind: { group: 'kubebuilder.zq.com', version: 'v1beta1', kind: 'MyDeployment' },
    resource: { group: 'kubebuilder.zq.com', version: 'v1beta1', resource: 'mydeployments' },
    name: 'web',
    namespace: 'default',
    userInfo: { username: 'nobody' },
    object: { metadata: { name: 'web', namespace: 'default' }, spec: {} as unknown },
    oldObject: null as unknown,
  },
};

/** A deletion, which every webhook lets pass: the proof that one is alive. */
export const FAREWELL: Knock = {
  body: JSON.stringify({ ...good, request: { ...good.request, uid: 'alive', operation: 'DELETE', object: null } }),
};

const review = (change: object): string => JSON.stringify({ ...good, ...change });
const request = (change: object): string => review({ request: { ...good.request, ...change } });
const object = (value: unknown): string => request({ object: value });
const spec = (value: unknown): string => object({ ...good.request.object, spec: value });

/** A review of about so many bytes: a sound MyDeployment whose one container has as many variables as fit. */
export function largeReview(bytes: number): Buffer {
  const variable = (index: number): object => ({ name: `VARIABLE_${index}`, value: `the value of variable ${index}` });
  return reviewOf([{ name: 'web', image: 'web:v1', env: asManyAs(bytes, variable) }]);
}

function asManyAs(bytes: number, item: (index: number) => object): readonly object[] {
  const count = Math.floor(bytes / (JSON.stringify(item(10_000)).length + 1));
  return Array.from({ length: count }, (_, index) => item(index));
}

function reviewOf(containers: readonly object[]): Buffer {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers } };
  return Buffer.from(spec({ selector: { matchLabels: labels }, template }));
}

/** JSON text that a stringifier would not write. */
const raw = (from: string, to: string, text = spec('HERE')): string => text.replace(from, to);

const DEPTH = 20_000;
const nested = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;
const nestedObjects = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`;

const polluted = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';

const BAD_BODIES: readonly HostileReview[] = [
  { name: 'no body', body: '', answers: [400] },
  { name: 'words', body: 'hello', answers: [400] },
  { name: 'a truncated review', body: review({}).slice(0, -20), answers: [400] },
  { name: 'bytes that are no text', body: new Uint8Array([0xff, 0xfe, 0x00, 0xc3, 0x28]), answers: [400] },
  { name: 'null', body: 'null', answers: [400] },
  { name: 'a list', body: '[]', answers: [400] },
  { name: 'a number', body: '7', answers: [400] },
  { name: 'another version', body: review({ apiVersion: 'admission.k8s.io/v1beta1' }), answers: [400] },
  { name: 'another kind', body: review({ kind: 'Pod' }), answers: [400] },
  { name: 'no request', body: review({ request: undefined }), answers: [400] },
  { name: 'a null request', body: review({ request: null }), answers: [400] },
  { name: 'a request in words', body: review({ request: 'please' }), answers: [400] },
  { name: 'no uid', body: request({ uid: undefined }), answers: [400] },
  { name: 'a uid that is a number', body: request({ uid: 7 }), answers: [400] },
  { name: 'no kind', body: request({ kind: undefined }), answers: [400] },
  { name: 'a kind in words', body: request({ kind: 'MyDeployment' }), answers: [400] },
  { name: '10 MB', body: spec('x'.repeat(10 * 1024 * 1024)), answers: [413], isCutOff: true },
];

const BAD_OBJECTS: readonly HostileReview[] = [
  { name: 'no object', body: object(undefined), answers: [200] },
  { name: 'a null object', body: object(null), answers: [200] },
  ...[7, 'text', [], {}, { metadata: null }, { metadata: 'text' }, { metadata: {} }].map((value) => ({
    name: `the object ${JSON.stringify(value)}`,
    body: object(value),
    answers: JUDGED,
  })),
  ...[undefined, null, 7, 'text', [], { template: null }, { template: 'text' }, { template: { spec: null } }].map(
    (value) => ({ name: `the spec ${JSON.stringify(value)}`, body: spec(value), answers: JUDGED }),
  ),
  { name: 'an old object in words', body: request({ oldObject: 'text' }), answers: JUDGED },
  { name: 'an update of nothing', body: request({ operation: 'UPDATE' }), answers: JUDGED },
  { name: 'an unknown operation', body: request({ operation: 'DANCE' }), answers: JUDGED },
  { name: 'a hostile namespace', body: request({ namespace: '../../pods' }), answers: JUDGED },
  { name: 'lists in lists', body: raw('"HERE"', nested), answers: JUDGED },
  { name: 'objects in objects', body: raw('"HERE"', nestedObjects), answers: JUDGED },
  { name: 'keys of prototypes', body: raw('"HERE"', polluted), answers: JUDGED },
  { name: 'keys of prototypes on top', body: raw('{', '{"__proto__":{"polluted":true},', review({})), answers: JUDGED },
  { name: 'a number beyond all numbers', body: raw('"HERE"', '{"replicas":1e400}'), answers: JUDGED },
  { name: 'more digits than a number has', body: raw('"HERE"', `{"replicas":${'9'.repeat(400)}}`), answers: JUDGED },
  { name: 'the same key twice', body: raw('"uid":', '"uid":"first","uid":', review({})), answers: JUDGED },
  { name: 'half of a surrogate pair', body: raw('"HERE"', '{"image":"\\ud83d"}'), answers: JUDGED },
];

const BAD_REQUESTS: readonly HostileReview[] = [
  ...['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => ({ name: method, method, answers: [405] })),
  { name: 'plain text', contentType: 'text/plain', body: review({}), answers: [415] },
  { name: 'YAML', contentType: 'application/yaml', body: review({}), answers: [415] },
  { name: 'no content type', contentType: undefined, body: review({}), answers: [415] },
  { name: 'another path', path: '/nowhere', body: review({}), answers: [404] },
  { name: 'a path upwards', path: '/../../etc/passwd', body: review({}), answers: [404] },
  { name: 'a path that is none', path: '//[', body: review({}), answers: [404] },
  { name: 'a path of 10 kB', path: `/${'x'.repeat(10_000)}`, body: review({}), answers: [404] },
  { name: 'a path of 100 kB', path: `/${'x'.repeat(100_000)}`, body: review({}), answers: [431], isCutOff: true },
];

export const hostileReviews: readonly HostileReview[] = [...BAD_BODIES, ...BAD_OBJECTS, ...BAD_REQUESTS];
