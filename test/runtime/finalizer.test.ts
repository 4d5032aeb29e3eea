import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonPatchOperation } from '../../src/runtime/client/options.ts';
import { checkAgainAfter, done } from '../../src/runtime/controller/result.ts';
import { ApiError } from '../../src/runtime/errors.ts';
import { type FinalizerSteps, finalizerState, withFinalizer } from '../../src/runtime/finalizer.ts';
import type { KubeObject } from '../../src/runtime/object.ts';

const finalizer = 'test.io/clean-up';
const uidTest = { op: 'test', path: '/metadata/uid', value: 'uid-1' } as const;
const listTest = (value: unknown) => ({ op: 'test', path: '/metadata/finalizers', value }) as const;

function object(life: 'alive' | 'deleting', finalizers?: readonly string[]): KubeObject {
  return {
    metadata: {
      ...{ namespace: 'ns', name: 'w', uid: 'uid-1', resourceVersion: '1' },
      ...(life === 'deleting' ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      ...(finalizers === undefined ? {} : { finalizers }),
    },
  };
}

describe('finalizerState', () => {
  it.each([
    {
      name: 'alive without any finalizer: adds a list',
      given: object('alive'),
      state: {
        do: 'add',
        patch: [uidTest, listTest(null), { op: 'add', path: '/metadata/finalizers', value: [finalizer] }],
      },
    },
    {
      name: 'alive with an empty list, which the server does not keep: adds a list',
      given: object('alive', []),
      state: {
        do: 'add',
        patch: [uidTest, listTest(null), { op: 'add', path: '/metadata/finalizers', value: [finalizer] }],
      },
    },
    {
      name: 'alive with those of others: adds at the end',
      given: object('alive', ['other']),
      state: {
        do: 'add',
        patch: [uidTest, listTest(['other']), { op: 'add', path: '/metadata/finalizers/-', value: finalizer }],
      },
    },
    { name: 'alive with it: applies', given: object('alive', ['other', finalizer]), state: { do: 'apply' } },
    {
      name: 'deleting with it: cleans up and removes only its own',
      given: object('deleting', ['a', finalizer, 'b']),
      state: {
        do: 'cleanUp',
        patch: [uidTest, listTest(['a', finalizer, 'b']), { op: 'remove', path: '/metadata/finalizers/1' }],
      },
    },
    { name: 'deleting with those of others: nothing', given: object('deleting', ['other']), state: { do: 'nothing' } },
    { name: 'deleting without any: nothing', given: object('deleting'), state: { do: 'nothing' } },
  ])('$name', ({ given, state }) => {
    expect(finalizerState(given, finalizer)).toEqual(state);
  });

  it.each([
    { name: 'with it: cleans up', given: object('alive', [finalizer]), step: 'cleanUp' },
    { name: 'without it: nothing', given: object('alive', ['other']), step: 'nothing' },
  ])('alive and no longer wanted, $name', ({ given, step }) => {
    expect(finalizerState(given, finalizer, { isWanted: false }).do).toBe(step);
  });
});

describe('withFinalizer', () => {
  let calls: string[];
  let steps: FinalizerSteps;

  beforeEach(() => {
    calls = [];
    steps = {
      finalizer,
      apply: async () => {
        calls.push('apply');
        return checkAgainAfter(5);
      },
      cleanUp: async () => {
        calls.push('cleanUp');
      },
      patch: async (operations: readonly JsonPatchOperation[]) => {
        calls.push(`patch ${operations.at(-1)?.op}`);
      },
    };
  });

  it.each([
    { name: 'alive without it', given: object('alive'), expected: ['patch add'], result: done },
    { name: 'alive with it', given: object('alive', [finalizer]), expected: ['apply'], result: checkAgainAfter(5) },
    {
      name: 'deleting with it',
      given: object('deleting', [finalizer]),
      expected: ['cleanUp', 'patch remove'],
      result: done,
    },
    { name: 'deleting without it', given: object('deleting'), expected: [], result: done },
  ])('$name: $expected', async ({ given, expected, result }) => {
    expect(await withFinalizer(given, steps)).toEqual(result);
    expect(calls).toEqual(expected);
  });

  it('keeps the finalizer when the clean-up failed', async () => {
    const failing = { ...steps, cleanUp: () => Promise.reject(new Error('disk is busy')) };
    await expect(withFinalizer(object('deleting', [finalizer]), failing)).rejects.toThrow('disk is busy');
    expect(calls).toEqual([]);
  });

  it('is content when the object is gone before the finalizer is removed', async () => {
    const gone = { ...steps, patch: () => Promise.reject(new ApiError('NotFound', 'gone', { code: 404 })) };
    expect(await withFinalizer(object('deleting', [finalizer]), gone)).toEqual(done);
  });

  it.each(['alive', 'deleting'] as const)(
    'passes on that the server refused the patch of an object that is %s',
    async (life) => {
      const refused = {
        ...steps,
        patch: () => Promise.reject(new ApiError('Invalid', 'the list has changed', { code: 422 })),
      };
      const given = object(life, life === 'alive' ? [] : [finalizer]);
      await expect(withFinalizer(given, refused)).rejects.toThrow('the list has changed');
    },
  );
});
