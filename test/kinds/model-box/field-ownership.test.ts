import { expect, it } from '@jest/globals';
import { asApplied } from '../../../src/kinds/model-box/field-ownership.ts';
import { FIELD_MANAGER } from '../../../src/kinds/model-box/names.ts';

const by = (manager: string, operation: string, subresource?: string) => ({ manager, operation, subresource });

function pathsFor(managedFields?: readonly object[]): (string | undefined)[] {
  const metadata = { name: 'web', uid: 'web-uid', resourceVersion: '7', ...(managedFields && { managedFields }) };
  return asApplied({ metadata }).map(({ path }) => path);
}

it('turns the creation by the operator into an apply, of the version that was read', () => {
  const managedFields = [by(FIELD_MANAGER, 'Update')];
  const metadata = { name: 'web', uid: 'web-uid', resourceVersion: '7', managedFields };
  expect(asApplied({ metadata })).toEqual([
    { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
    { op: 'replace', path: '/metadata/managedFields/0/operation', value: 'Apply' },
  ]);
});

it.each([
  { name: 'no entry at all', entries: undefined, at: undefined },
  { name: 'entries of others', entries: [by('kubectl', 'Update'), by('kubectl', 'Apply')], at: undefined },
  { name: 'an apply of its own before', entries: [by(FIELD_MANAGER, 'Apply')], at: undefined },
  {
    name: 'an apply of its own after',
    entries: [by(FIELD_MANAGER, 'Update'), by(FIELD_MANAGER, 'Apply')],
    at: undefined,
  },
  { name: 'its status only', entries: [by(FIELD_MANAGER, 'Update', 'status')], at: undefined },
  { name: 'an operation that is neither', entries: [by(FIELD_MANAGER, 'Other')], at: undefined },
  { name: 'an apply of another', entries: [by('kubectl', 'Apply'), by(FIELD_MANAGER, 'Update')], at: 1 },
])('looks for the entry of the creation: $name', ({ entries, at }) => {
  const paths = at === undefined ? [] : ['/metadata/resourceVersion', `/metadata/managedFields/${at}/operation`];
  expect(pathsFor(entries)).toEqual(paths);
});
