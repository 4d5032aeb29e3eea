import { expect, it } from '@jest/globals';
import { collector } from '../../../src/kinds/collector/schema.ts';
import { convertObject } from '../../../src/runtime/webhook/conversion.ts';
import { assertRoundTrips } from '../../../src/testing/index.ts';

const metadata = { namespace: 'default', name: 'web', uid: 'u', resourceVersion: '1' };
const inV1 = (spec: object) => ({ apiVersion: 'collector.ip.my.domain/v1', kind: 'Collector', metadata, spec });
const inV2 = (spec: object) => ({ ...inV1(spec), apiVersion: 'collector.ip.my.domain/v2beta1' });
const target = { kind: 'Deployment', name: 'web' };

it.each([
  { name: 'the target alone', v1: { target }, v2: { targetRef: target } },
  {
    name: 'every field',
    v1: { target, quietSeconds: 7, historyLimit: 3 },
    v2: { targetRef: target, quietSeconds: 7, changeHistoryLimit: 3 },
  },
])('has the fields of v1 under its own names: $name', ({ v1, v2 }) => {
  expect(convertObject([collector], inV2(v2), inV1(v1).apiVersion)).toEqual(inV1(v1));
  expect(convertObject([collector], inV1(v1), inV2(v2).apiVersion)).toEqual(inV2(v2));
});

it('loses nothing on the way to v1 and back', () => {
  assertRoundTrips(collector);
});
