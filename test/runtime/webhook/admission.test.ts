import { describe, expect, it } from '@jest/globals';
import type { KubeObject, ObjectMeta } from '../../../src/runtime/object.ts';
import { type AdmissionRequest, defaulted, untouched, validated } from '../../../src/runtime/webhook/admission.ts';
import { invalid } from '../../../src/runtime/webhook/field-error.ts';

interface Widget extends KubeObject {
  readonly spec?: { readonly size?: number };
}

const widget: Widget = { metadata: { name: 'web', uid: 'u', resourceVersion: '1' } };
const request: AdmissionRequest<Widget> = {
  uid: 'review-1',
  operation: 'CREATE',
  kind: { group: 'apps.example', version: 'v1', kind: 'Widget' },
  resource: { group: 'apps.example', version: 'v1', resource: 'widgets' },
  name: 'web',
  userInfo: {},
  object: widget,
  oldObject: null,
};
const tooSmall = invalid('spec.size', 0, 'must be positive');

describe('the answer of a validator', () => {
  it('allows what nothing was found about', () => {
    expect(validated(request, {})).toEqual({ uid: 'review-1', allowed: true });
    expect(validated(request, { errors: [] })).toEqual({ uid: 'review-1', allowed: true });
  });

  it('warns whether or not it allows', () => {
    const warnings = ['size is deprecated'];
    expect(validated(request, { warnings })).toEqual({ uid: 'review-1', allowed: true, warnings });
    expect(validated(request, { warnings, denied: 'no' })).toMatchObject({ allowed: false, warnings });
  });

  it('refuses field errors as an invalid object', () => {
    expect(validated(request, { errors: [tooSmall] })).toMatchObject({
      uid: 'review-1',
      allowed: false,
      status: { code: 422, reason: 'Invalid', details: { group: 'apps.example', kind: 'Widget', name: 'web' } },
    });
  });

  it('refuses for another reason as forbidden', () => {
    expect(validated(request, { denied: 'not on Fridays' })).toEqual({
      uid: 'review-1',
      allowed: false,
      status: { code: 403, reason: 'Forbidden', message: 'not on Fridays' },
    });
  });

  it.each<{ name: string | undefined; metadata: Partial<ObjectMeta>; shown: string }>([
    { name: 'web', metadata: { name: 'other' }, shown: 'web' },
    { name: '', metadata: { name: 'web' }, shown: 'web' },
    { name: undefined, metadata: { generateName: 'web-' }, shown: 'web-' },
    { name: undefined, metadata: {}, shown: '' },
  ])('calls the object $shown when the request says $name and its metadata $metadata', ({ name, metadata, shown }) => {
    const { name: _, ...nameless } = request;
    const named = { ...nameless, ...(name === undefined ? {} : { name }), object: { metadata } as Widget };
    expect(validated(named, { errors: [tooSmall] }).status?.details?.name).toBe(shown);
  });
});

describe('the answer of a defaulter', () => {
  it('is a patch of what it changed', () => {
    const answer = defaulted(request, { ...widget, spec: { size: 3 } } as Widget);
    expect(answer).toMatchObject({ uid: 'review-1', allowed: true, patchType: 'JSONPatch' });
    expect(JSON.parse(Buffer.from(answer.patch ?? '', 'base64').toString())).toEqual([
      { op: 'add', path: '/spec', value: { size: 3 } },
    ]);
  });

  it('has no patch when nothing was changed', () => {
    expect(defaulted(request, widget)).toEqual({ uid: 'review-1', allowed: true });
    expect(untouched(request)).toEqual({ uid: 'review-1', allowed: true });
  });
});
