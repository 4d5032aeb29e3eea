import { describe, expect, it } from '@jest/globals';
import { nameFitsLabel, validateNameAsLabel } from '../../src/workload/name-label.ts';

const DETAIL = 'must be no more than 63 characters, because it becomes a label of the pods';
const named = (name: string | undefined) => ({ metadata: { name } }) as Parameters<typeof validateNameAsLabel>[0];

describe('a name that becomes a label', () => {
  it.each([
    { name: 'a'.repeat(63), errors: [] },
    { name: undefined, errors: [] },
    { name: 'a'.repeat(64), errors: [`Invalid value: "${'a'.repeat(64)}": ${DETAIL}`] },
  ])('$name', ({ name, errors }) => {
    expect(validateNameAsLabel(named(name)).map(({ message }) => message)).toEqual(errors);
  });

  it('is judged by the API server in the same words', () => {
    expect(nameFitsLabel).toEqual({
      rule: 'size(self.metadata.name) <= 63',
      message: `metadata.name ${DETAIL}`,
      messageExpression: `'metadata.name: "%s": ${DETAIL}'.format([self.metadata.name])`,
      reason: 'FieldValueInvalid',
    });
  });
});
