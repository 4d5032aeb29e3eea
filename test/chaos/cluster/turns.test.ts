import { setImmediate as soon } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { type Need, Turns } from './turns.ts';

/** Lets everybody come in this order; tells who is playing, and lets them leave. */
async function company(
  ...needs: readonly Need[]
): Promise<{ playing(): readonly number[]; leave(who: number): Promise<void> }> {
  const turns = new Turns();
  const leaves = new Map<number, () => void>();
  for (const [who, need] of needs.entries()) void turns.enter(need).then((leave) => leaves.set(who, leave));
  await soon();
  return {
    playing: () => [...leaves.keys()].sort(),
    leave: async (who) => {
      leaves.get(who)?.();
      leaves.delete(who);
      await soon();
    },
  };
}

it('those who keep to their lane play together', async () => {
  expect((await company('lane', 'lane', 'lane')).playing()).toEqual([0, 1, 2]);
});

it('one uses the installation at a time, and holds up nobody else', async () => {
  const { playing, leave } = await company('installation', 'installation', 'lane');
  expect(playing()).toEqual([0, 2]);
  await leave(0);
  expect(playing()).toEqual([1, 2]);
});

it('who breaks the cluster plays alone, and is not passed by those who came later', async () => {
  const { playing, leave } = await company('lane', 'cluster', 'lane', 'installation');
  expect(playing()).toEqual([0]);
  await leave(0);
  expect(playing()).toEqual([1]);
  await leave(1);
  expect(playing()).toEqual([2, 3]);
});
