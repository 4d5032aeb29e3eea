import { expect, it } from '@jest/globals';
import type { ImoocPod } from '../../../src/kinds/imooc-pod/types.gen.ts';
import { validate } from '../../../src/kinds/imooc-pod/validate.ts';
import type { AdmissionRequest } from '../../../src/runtime/webhook/admission.ts';
import { validatorOf } from '../../../src/runtime/webhook/validator.ts';
import { imoocPod } from './fixture.ts';

const validator = validatorOf(validate);
const { signal } = new AbortController();

function judge(object: ImoocPod | null) {
  return validator({ object, oldObject: null } as AdmissionRequest<ImoocPod>, signal);
}

it('refuses what is wrong', () => {
  expect(judge(imoocPod({ replicas: -1 }))).toMatchObject({ errors: [{ field: 'spec.replicas' }] });
});

it('lets pass what is right, what is being deleted, and deletions', () => {
  expect(judge(imoocPod())).toEqual({ errors: [] });
  expect(judge(imoocPod({ replicas: -1, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }))).toEqual({});
  expect(judge(null)).toEqual({});
});
