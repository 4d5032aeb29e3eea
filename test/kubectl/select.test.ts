import { describe, expect, it } from '@jest/globals';
import { Flags, UsageError } from '../../src/kubectl/arguments.ts';
import type { Context } from '../../src/kubectl/context.ts';
import { forEach, selectionOf } from '../../src/kubectl/select.ts';

describe('a selection', () => {
  const select = (names: readonly string[], flags: Readonly<Record<string, string>>) =>
    selectionOf(
      {
        namespace: 'default',
        flags: new Flags(new Map(Object.entries(flags).map(([name, value]) => [name, [value]]))),
      } as unknown as Context,
      names,
    );
  const everywhere = { 'all-namespaces': 'true' };

  it('is by name, from files, by labels, of a namespace or of all', () => {
    expect(select(['web', 'md/shop'], {})).toEqual({
      by: 'name',
      targets: [
        { namespace: 'default', name: 'web' },
        { namespace: 'default', name: 'shop' },
      ],
    });
    expect(select([], { filename: 'samples/mydeployment.yaml' })).toEqual({
      by: 'name',
      targets: [{ namespace: 'default', name: 'mydeployment-sample' }],
    });
    expect(select([], {})).toEqual({ by: 'list', namespace: 'default' });
    expect(select([], { selector: 'app=web' })).toEqual({ by: 'list', namespace: 'default', labelSelector: 'app=web' });
    expect(select([], { ...everywhere, selector: 'app=web' })).toEqual({ by: 'list', labelSelector: 'app=web' });
  });

  it.each([
    { names: ['web'], flags: { selector: 'a=b' }, says: 'name cannot be provided when a selector is specified' },
    { names: ['web'], flags: everywhere, says: 'a resource cannot be retrieved by name across all namespaces' },
    { names: ['web'], flags: { filename: 'x' }, says: '-f names the objects, so no NAME may be given as well' },
    { names: [], flags: { filename: 'x', selector: 'a=b' }, says: '-f cannot be combined with -l or -A' },
    { names: [], flags: { filename: 'x', ...everywhere }, says: '-f cannot be combined with -l or -A' },
  ])('is refused where it contradicts itself: $says', ({ names, flags, says }) => {
    expect(() => select(names, flags as Record<string, string>)).toThrow(new UsageError(says));
  });
});

describe('a command for each selected MyDeployment', () => {
  const run = (flags: Readonly<Record<string, string>>) =>
    forEach(() => Promise.reject(new Error('unreachable')))({
      args: [],
      namespace: 'default',
      flags: new Flags(new Map(Object.entries(flags).map(([name, value]) => [name, [value]]))),
    } as unknown as Context);

  it.each([{}, { selector: '' }, { 'all-namespaces': 'false' }])(
    'never means a whole namespace with %j',
    async (flags) => {
      await expect(run(flags as Record<string, string>)).rejects.toThrow(
        new UsageError('no MyDeployment is named: give a NAME, -f FILE or -l LABELS'),
      );
    },
  );
});
