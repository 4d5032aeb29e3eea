import { describe, expect, it } from '@jest/globals';
import { validate } from '../../../src/kinds/imooc-pod/validate.ts';
import { renderFieldError } from '../../../src/runtime/webhook/field-error.ts';
import { imoocPod, type ObjectOptions } from './fixture.ts';

const problems = (options: ObjectOptions) => validate(imoocPod(options)).map(renderFieldError);

describe('an ImoocPod', () => {
  it.each<{ name: string; options: ObjectOptions }>([
    { name: 'nothing said', options: {} },
    { name: 'no pods', options: { replicas: 0 } },
    { name: 'the most there may be', options: { replicas: 1000 } },
    { name: 'the longest name', options: { metadata: { name: 'n'.repeat(63) } } },
  ])('is right with $name', ({ options }) => {
    expect(problems(options)).toEqual([]);
  });

  it.each<{ name: string; options: ObjectOptions; says: string }>([
    {
      name: 'fewer than none',
      options: { replicas: -1 },
      says: 'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    },
    {
      name: 'too many',
      options: { replicas: 1001 },
      says: 'spec.replicas: Invalid value: 1001: must be less than or equal to 1000',
    },
    {
      name: 'half a pod',
      options: { replicas: 0.5 },
      says: 'spec.replicas: Invalid value: 0.5: must be a whole number',
    },
    {
      name: 'a name that fits no label',
      options: { metadata: { name: 'n'.repeat(64) } },
      says: `metadata.name: Invalid value: "${'n'.repeat(64)}": must be no more than 63 characters, because it becomes a label of the pods`,
    },
  ])('is wrong with $name', ({ options, says }) => {
    expect(problems(options)).toEqual([says]);
  });

  it.each([-1, 1001, 0.5])('is told of everything that is wrong with it: its name, and %d replicas', (replicas) => {
    const fields = validate(imoocPod({ replicas, metadata: { name: 'n'.repeat(64) } })).map(({ field }) => field);
    expect(fields).toEqual(['metadata.name', 'spec.replicas']);
  });

  it('may leave its name to the API server', () => {
    const { name: _, ...metadata } = imoocPod().metadata;
    expect(validate({ ...imoocPod(), metadata: metadata as never })).toEqual([]);
  });
});
