import { describe, expect, it } from '@jest/globals';
import { type Asked, sameRequest } from '../../../src/kubectl/policy/asked.ts';
import { decide } from '../../../src/kubectl/policy/decide.ts';
import { readPolicies } from '../../../src/kubectl/policy/read-policies.ts';
import { send } from '../../../src/kubectl/policy/send.ts';
import { PROMOTE } from '../../../src/policy/requests.ts';
import type { RolloutPolicy } from '../../../src/policy/types.gen.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import { ApiError, type ApiFailure } from '../../../src/runtime/errors.ts';
import { NOW } from '../../kinds/my-deployment/fixture.ts';
import { policy, standing } from './scene.ts';

const asked = decide('promoteFull', standing(), NOW) as Asked;
const console = { interrupted: new AbortController().signal } as never;

/** A server that has these versions of the policy, one after the other, and accepts a patch of the last one. */
function server(...versions: readonly RolloutPolicy['metadata'][]) {
  const patches: unknown[] = [];
  let present = 0;
  const client = {
    patch: async (_: unknown, __: unknown, { body }: { body: { metadata: { resourceVersion: string } } }) => {
      patches.push(body);
      if (body.metadata.resourceVersion === versions.at(-1)?.resourceVersion) return;
      throw new ApiError('Conflict', 'the object has been modified');
    },
    get: async () => {
      present += 1;
      return { ...asked.policy, metadata: versions[present] };
    },
  } as unknown as Client;
  return { client, patches };
}

const { metadata } = asked.policy;
const value = '{"number":3,"step":1,"full":true}';
const patched = (resourceVersion: string) => ({ metadata: { resourceVersion, annotations: { [PROMOTE]: value } } });

describe('sending a request', () => {
  it('names the version that was read, and reads again after a conflict', async () => {
    const { client, patches } = server(metadata, { ...metadata, resourceVersion: '6' });
    await send({ client, console }, asked);
    expect(patches).toEqual([patched('5'), patched('6')]);
  });

  it('writes nothing where the same is asked already, by whomever', async () => {
    const annotations = { [PROMOTE]: '{"number":3,"step":1,"full":true,"by":"alice"}' };
    const { client, patches } = server(metadata, { ...metadata, annotations, resourceVersion: '6' });
    await send({ client, console }, asked);
    expect(patches).toEqual([patched('5')]);
  });

  it('asks nothing of another policy that has the name now', async () => {
    const { client } = server(metadata, { ...metadata, uid: 'other', resourceVersion: '6' });
    await expect(send({ client, console }, asked)).rejects.toThrow('rolloutpolicy "web" has been replaced');
  });

  it.each([
    { other: undefined, same: false },
    { other: { ...asked.request, by: 'alice' }, same: true },
    { other: { number: 3, step: 1 }, same: false },
    { other: { ...asked.request, step: 2 }, same: false },
    { other: { ...asked.request, number: 2 }, same: false },
  ])('takes $other for the same: $same', ({ other, same }) => {
    expect(sameRequest(other, asked.request)).toBe(same);
  });
});

describe('reading policies', () => {
  const failing = (reason: ApiFailure) =>
    ({ list: () => Promise.reject(new ApiError(reason, 'no')) }) as unknown as Client;

  it.each(['NotFound', 'Forbidden'] as const)('%s means that there are none', async (reason) => {
    expect(await readPolicies({ client: failing(reason), console }, 'default')).toEqual([]);
  });

  it('any other failure is one', async () => {
    await expect(readPolicies({ client: failing('Connection'), console }, 'default')).rejects.toThrow('no');
    const client = { list: async () => ({ items: [policy()] }) } as unknown as Client;
    expect(await readPolicies({ client, console }, 'default')).toHaveLength(1);
  });
});
