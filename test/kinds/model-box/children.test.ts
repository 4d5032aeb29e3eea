import { expect, it } from '@jest/globals';
import { deployments, mayBeOurs, services, standingOf } from '../../../src/kinds/model-box/children.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import { modelBox } from './fixture.ts';

const box = modelBox();
const owner = (uid: string, kind = 'ModelBox', apiVersion = 'model.github.com/v1') => [
  { apiVersion, kind, name: 'web', uid, controller: true },
];
const child = (metadata: object): KubeObject => ({
  metadata: { name: 'web', namespace: 'default', uid: 'child', resourceVersion: '1', ...metadata },
});

it.each([
  { name: 'of this ModelBox', object: child({ ownerReferences: owner('web-uid') }), standing: 'ours', whole: true },
  {
    name: 'of this ModelBox, in another version',
    object: child({ ownerReferences: owner('web-uid', 'ModelBox', 'model.github.com/v2') }),
    standing: 'ours',
    whole: true,
  },
  { name: 'of another ModelBox', object: child({ ownerReferences: owner('other') }), standing: 'foreign', whole: true },
  { name: 'left behind', object: child({ labels: { modelbox: 'web' } }), standing: 'orphaned', whole: true },
  { name: 'left behind by another', object: child({ labels: { modelbox: 'db' } }), standing: 'foreign', whole: true },
  { name: 'of nobody', object: child({}), standing: 'foreign', whole: false },
  {
    name: 'of another kind of our group',
    object: child({ ownerReferences: owner('x', 'Other'), labels: { modelbox: 'web' } }),
    standing: 'foreign',
    whole: false,
  },
  {
    name: 'of a kind of the same name',
    object: child({ ownerReferences: owner('x', 'ModelBox', 'example.com/v1'), labels: { modelbox: 'web' } }),
    standing: 'foreign',
    whole: false,
  },
])('what may be ours is kept whole in the cache: a child $name', ({ object, standing, whole }) => {
  expect(standingOf(box, object)).toBe(standing);
  expect(mayBeOurs(object)).toBe(whole);
});

it('what a ModelBox makes is where the API server has it', () => {
  expect(deployments).toEqual({
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    plural: 'deployments',
    namespaced: true,
  });
  expect(services).toEqual({ group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true });
});
