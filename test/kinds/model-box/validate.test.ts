import { describe, expect, it } from '@jest/globals';
import { atOrigin, validateName } from '../../../src/kinds/model-box/validate.ts';
import { invalid } from '../../../src/runtime/webhook/field-error.ts';

describe('the name of a ModelBox', () => {
  it.each(['a', 'web', 'web-1', 'a'.repeat(63)])('%s is right', (name) => {
    expect(validateName({ metadata: { name } })).toEqual([]);
  });

  it.each(['1web', 'web.example', '-web', 'web-', 'a'.repeat(64)])('%s could not be the name of a Service', (name) => {
    expect(validateName({ metadata: { name } })).toMatchObject([
      { field: 'metadata.name', reason: 'FieldValueInvalid' },
    ]);
  });

  it('may be left to the API server', () => {
    expect(validateName({ metadata: { generateName: 'web-' } })).toEqual([]);
  });
});

describe('what is wrong with the pod template is told of the ModelBox', () => {
  it.each([
    ['containers[0].image', 'spec.image'],
    ['containers[0].env[2].name', 'spec.envs[2].name'],
    ['containers[0].envFrom[0]', 'spec.envFrom[0]'],
    ['containers[0].resources.limits[cpu]', 'spec.resources.limits[cpu]'],
    ['containers[0].livenessProbe.httpGet.port', 'spec.livenessProbe.httpGet.port'],
    ['containers[0].ports[1].name', 'spec.ports'],
    ['containers[0].name', 'metadata.name'],
    ['containers[0].nameservers', 'spec.nameservers'],
    ['containers[1].name', 'spec.containers[0].name'],
    ['containers[12].env[0]', 'spec.containers[11].env[0]'],
    ['initContainers[3].image', 'spec.initContainers[3].image'],
  ])('%s → %s', (field, origin) => {
    const error = invalid(`spec.template.spec.${field}`, 'x', 'wrong');
    expect(atOrigin(error)).toEqual({ ...error, field: origin });
  });

  it.each([
    'spec.template.metadata.labels',
    'spec.template.spec.other.containers[0].env',
    'spec.template.spec.other.containers[0].ports',
    'spec.template.spec.other.containers[0].name',
    'spec.template.spec.other.containers[0].image',
    'spec.template.spec.other.containers[1].image',
    'spec.template.spec.other.initContainers[0].image',
  ])('and %s, which is of nothing in it, stays where it is', (field) => {
    const error = invalid(field, 'x', 'wrong');
    expect(atOrigin(error)).toEqual(error);
  });
});
