import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../src/runtime/errors.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import { differences } from './differences.ts';
import type { Transition } from './fields.ts';
import { compared } from './template-fields.ts';
import { namesField, type Verdict, verdictOf } from './verdict.ts';

const refusal = (message: string, ...fields: string[]): Verdict & { is: 'refused' } => ({
  is: 'refused',
  fields,
  message,
});

describe('a refusal', () => {
  it.each([
    { path: 'spec.replicas', fields: ['spec.replicas'], named: true },
    { path: 'spec.replicas', fields: ['.spec.replicas'], named: true },
    { path: 'spec.replicas', fields: ['spec'], named: true },
    { path: 'spec.replicas', fields: ['spec.paused'], named: false },
    { path: 'spec.replicas', fields: [], named: false },
    { path: 'spec.a[].b', fields: ['spec.a[3].b'], named: true },
    { path: 'spec.a[].b', fields: ['spec.a[3].b.c'], named: true },
    { path: 'spec.a[].b', fields: ['spec.a[3].c'], named: false },
    { path: 'spec.a{}', fields: ['spec.a[key]'], named: true },
    { path: 'spec.a.b{}', fields: ['spec.a'], named: true },
    { path: 'spec.a.b.c', fields: ['spec.a'], named: false },
  ])('that blames $fields names $path: $named', ({ path, fields, named }) => {
    expect(namesField(refusal('no', ...fields), path)).toBe(named);
  });

  it('may name the field in its words only, where a value could not even be decoded', () => {
    const words =
      'cannot unmarshal number into Go struct field Container.template.spec.containers.image of type string';
    expect(namesField(refusal(words), 'spec.template.spec.containers[].image')).toBe(true);
    expect(namesField(refusal(words), 'spec.template.spec.containers[].command')).toBe(false);
  });

  it('is read from the causes of an API error; what is no answer at all is thrown', async () => {
    const causes = [{ field: 'spec.a' }, { field: '<nil>' }, { message: 'no field' }];
    const invalid = new ApiError('Invalid', 'no', { status: { message: 'invalid', details: { causes } } });
    expect(await verdictOf(Promise.reject(invalid))).toEqual(refusal('invalid', 'spec.a'));
    await expect(verdictOf(Promise.reject(new ApiError('ServerError', 'broken')))).rejects.toThrow('broken');
  });
});

describe('two verdicts', () => {
  const at = (path: string, what: string): Transition => ({ path, what, intent: 'open', value: 1, spec: {} });
  const taken = (template: object): Verdict => ({
    is: 'taken',
    object: { spec: { template } } as unknown as KubeObject,
  });
  const image = at('spec.template.spec.containers[].image', 'text');

  it.each([
    { name: 'both take it alike', native: taken({ a: 1 }), own: taken({ a: 1 }), differ: 0 },
    { name: 'both would store something else', native: taken({ a: 1 }), own: taken({ a: 2 }), differ: 1 },
    { name: 'only native takes it', native: taken({}), own: refusal('no', 'spec'), differ: 1 },
    { name: 'only ours takes it', native: refusal('no', 'spec'), own: taken({}), differ: 1 },
    {
      name: 'ours does not say where',
      native: refusal('', 'spec.template.spec.containers[0].image'),
      own: refusal('no'),
      differ: 1,
    },
    { name: 'neither says where', native: refusal('no'), own: refusal('no'), differ: 0 },
  ])('$name', ({ native, own, differ }) => {
    expect(compared(native, own, image)).toHaveLength(differ);
  });

  it('may differ where the list says so, and nowhere else', () => {
    const twice = at('spec.template.spec.containers[].env', 'the same twice');
    expect(compared(taken({}), refusal('no', 'spec'), twice)).toEqual([]);
    expect(compared(taken({}), refusal('no', 'spec'), { ...twice, what: 'a sample' })).toHaveLength(1);
  });

  it('differ for a reason', () => {
    for (const { because } of differences) expect(because.length).toBeGreaterThan(20);
  });
});
