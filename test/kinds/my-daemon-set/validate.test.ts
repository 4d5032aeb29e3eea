import { describe, expect, it } from '@jest/globals';
import { validate } from '../../../src/kinds/my-daemon-set/validate.ts';
import { renderFieldError } from '../../../src/runtime/webhook/field-error.ts';
import { myDaemonSet, type ObjectOptions } from './fixture.ts';

const problems = (options: ObjectOptions) => validate(myDaemonSet(options)).map(renderFieldError);

describe('a MyDaemonSet', () => {
  it.each<{ name: string; options: ObjectOptions }>([
    { name: 'an image', options: {} },
    { name: 'an image as long as can be', options: { image: 'a'.repeat(512) } },
    { name: 'a number', options: { maxUnavailable: 5 } },
    { name: 'a share', options: { maxUnavailable: '100%' } },
    { name: 'a long name', options: { metadata: { name: 'a'.repeat(63) } } },
  ])('is right with $name', ({ options }) => {
    expect(problems(options)).toEqual([]);
  });

  it.each<{ name: string; options: ObjectOptions; says: string }>([
    { name: 'no image', options: { image: '' }, says: 'spec.image: Required value: image is required' },
    {
      name: 'no image reference',
      options: { image: 'Nginx' },
      says: 'spec.image: Invalid value: "Nginx": not an image reference: want [host[:port]/]path[:tag][@digest], the path in lower case',
    },
    {
      name: 'an image too long',
      options: { image: 'a'.repeat(513) },
      says: 'spec.image: Too long: may not be more than 512 bytes',
    },
    ...[0, -1, 1.5, '0%', '101%', '5', 'x%', '-1%'].map((maxUnavailable) => ({
      name: `maxUnavailable ${maxUnavailable}`,
      options: { maxUnavailable },
      says: `spec.maxUnavailable: Invalid value: ${JSON.stringify(maxUnavailable)}: must be a number of nodes from 1, or a percentage of them from 1% to 100%`,
    })),
    {
      name: 'a name that fits no label',
      options: { metadata: { name: 'a'.repeat(64) } },
      says: `metadata.name: Invalid value: "${'a'.repeat(64)}": must be no more than 63 characters, because it becomes a label of the pods`,
    },
  ])('is wrong with $name', ({ options, says }) => {
    expect(problems(options)).toEqual([says]);
  });

  it('says at once everything that is wrong', () => {
    expect(problems({ image: '', maxUnavailable: 0 })).toHaveLength(2);
  });
});
