import { describe, expect, it } from '@jest/globals';
import { myDaemonSet as definition } from '../../../src/kinds/my-daemon-set/schema.ts';
import type { MyDaemonSet } from '../../../src/kinds/my-daemon-set/types.gen.ts';
import { validate } from '../../../src/kinds/my-daemon-set/validate.ts';
import { defaulter } from '../../../src/kinds/my-daemon-set/webhook.ts';
import type { AdmissionRequest } from '../../../src/runtime/webhook/admission.ts';
import { validatorOf } from '../../../src/runtime/webhook/validator.ts';
import { myDaemonSet } from './fixture.ts';

const validator = validatorOf(validate);
const { signal } = new AbortController();
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };

function requestFor(object: MyDaemonSet | null): AdmissionRequest<MyDaemonSet> {
  const { group, version, kind, plural: resource } = definition.resource;
  return {
    uid: 'u',
    operation: 'CREATE',
    kind: { group, version, kind },
    resource: { group, version, resource },
    userInfo: {},
    object,
    oldObject: null,
  };
}

const defaulted = (object: MyDaemonSet) => defaulter(object, requestFor(object), signal);

describe('the defaulter', () => {
  it('writes down the bound that was not given', () => {
    expect(defaulted(myDaemonSet())).toMatchObject({ spec: { image: 'agent:v2', maxUnavailable: 1 } });
  });

  it('leaves a bound that was, and whatever else there is', () => {
    const object = { ...myDaemonSet({ maxUnavailable: '10%' }), unknown: 1 };
    expect(defaulted(object)).toEqual(object);
  });

  it('does not invent an image', () => {
    const { spec: _, ...rest } = myDaemonSet();
    expect(defaulted({ ...rest, spec: {} })).toMatchObject({ spec: { maxUnavailable: 1 } });
    expect(defaulted({ ...rest, spec: {} })).not.toHaveProperty('spec.image');
  });

  it('leaves an object alone that has no spec, or that is being deleted', () => {
    const { spec: _, ...without } = myDaemonSet();
    expect(defaulted(without as MyDaemonSet)).toEqual(without);
    expect(defaulted(myDaemonSet({ metadata: DELETED }))).not.toHaveProperty('spec.maxUnavailable');
  });
});

describe('the validator', () => {
  it('refuses what is wrong', () => {
    expect(validator(requestFor(myDaemonSet({ image: '' })), signal)).toMatchObject({
      errors: [{ field: 'spec.image', message: 'Required value: image is required' }],
    });
  });

  it('lets pass what is right, what is being deleted, and deletions', () => {
    expect(validator(requestFor(myDaemonSet()), signal)).toEqual({ errors: [] });
    expect(validator(requestFor(myDaemonSet({ image: '', metadata: DELETED })), signal)).toEqual({});
    expect(validator(requestFor(null), signal)).toEqual({});
  });
});
