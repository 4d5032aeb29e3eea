import { describe, expect, it } from '@jest/globals';
import type { Conversion } from '../../../src/runtime/custom-resource.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import { keepFields } from '../../../src/runtime/webhook/keep-fields.ts';

interface Old extends KubeObject {
  readonly spec: { readonly text: string };
}
interface New extends KubeObject {
  readonly spec: { readonly text: string; readonly size?: number; readonly host?: string };
}

const same: Conversion<Old, New> = { toStored: (object) => object, fromStored: (object) => object };
const { toStored, fromStored } = keepFields('example.com/v2', ['size', 'host'], same);

const metadata = { namespace: 'ns', name: 'a', uid: 'u', resourceVersion: '7' };
const noted = (text: string, others: object = {}): Old => ({
  metadata: { ...metadata, annotations: { ...others, 'example.com/v2': text } },
  spec: { text: 'Hello' },
});

describe('fields of the stored version alone', () => {
  it('are an annotation of the other, and nothing besides', () => {
    const stored: New = { metadata, spec: { text: 'Hello', size: 3 } };
    expect(fromStored(stored)).toEqual(noted('{"size":3}'));
    expect(toStored(fromStored(stored))).toEqual(stored);
  });

  it('leave other annotations, and objects without such fields, as they are', () => {
    const annotated: New = { metadata: { ...metadata, annotations: { a: 'b' } }, spec: { text: 'Hello', host: 'h' } };
    expect(fromStored(annotated)).toEqual(noted('{"host":"h"}', { a: 'b' }));
    expect(toStored(fromStored(annotated))).toEqual(annotated);
    const plain: New = { metadata, spec: { text: 'Hello' } };
    expect(fromStored(plain)).toEqual(plain);
    expect(toStored(plain)).toEqual(plain);
  });

  it.each(['{"size":', 'null', '3', '{"text":"Other","uid":"x"}'])(
    'cannot be anything else, whatever a user writes: %s',
    (text) => {
      expect(toStored(noted(text))).toEqual({ metadata, spec: { text: 'Hello' } });
    },
  );
});
