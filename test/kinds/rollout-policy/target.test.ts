import { expect, it } from '@jest/globals';
import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import { sizeOf, targets } from '../../../src/kinds/rollout-policy/target.ts';
import { target } from './fixture.ts';

it('the target is a MyDeployment, by the names that its own kind has', () => {
  expect(targets).toEqual(myDeployments);
});

it.each([
  { name: 'the defaults of a Deployment', spec: { replicas: undefined as never }, size: { replicas: 1, maxSurge: 1 } },
  { name: 'a quarter, rounded up', spec: { replicas: 5 }, size: { replicas: 5, maxSurge: 2 } },
  { name: 'no surge with Recreate', spec: { strategy: { type: 'Recreate' } }, size: { replicas: 4, maxSurge: 0 } },
  {
    name: 'the surge that is asked for',
    spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3 } } },
    size: { replicas: 4, maxSurge: 3 },
  },
])('the size of a step is computed from $name', ({ spec, size }) => {
  expect(sizeOf(target(spec))).toEqual(size);
});
