// Kubernetes' cases of writing history, against an API that answers as told. Where native's history client tries again or
// renames on its own, ours reports what it met, and the next reconcile decides from what is there then.

import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError, type ApiFailure } from '../../src/runtime/errors.ts';
import type { Manifest } from '../../src/runtime/object.ts';
import { buildRevision, type ControllerRevision } from '../../src/workload/revision.ts';
import { createRevision, deleteRevision, updateRevision } from '../../src/workload/revision-writes.ts';
import type { PodTemplate } from '../../src/workload/template-schema.ts';
import type { WriteContext } from '../../src/workload/write-context.ts';
import { box, boxContext } from './box-context.ts';

const template = (image: string): PodTemplate => ({ spec: { containers: [{ name: 'web', image }] } });
const revisionOf = (name: string, image: string, collisionCount = 0) =>
  buildRevision(box(`${name}-uid`, name), { template: template(image), number: 1, collisionCount, annotations: {} });

let stored: Map<string, ControllerRevision>;
let failure: ApiFailure | undefined;
let requests: object[];
let context: WriteContext;

beforeEach(() => {
  stored = new Map();
  failure = undefined;
  requests = [];
  const answer = <T>(value: T | undefined): T => {
    if (failure !== undefined) throw new ApiError(failure, failure);
    if (value === undefined) throw new ApiError('NotFound', 'NotFound');
    return value;
  };
  const client = {
    create: async (_: unknown, manifest: Manifest<ControllerRevision>) => {
      const name = manifest.metadata.name as string;
      if (stored.has(name)) throw new ApiError('AlreadyExists', 'AlreadyExists');
      stored.set(name, { ...manifest, metadata: { ...manifest.metadata, name, uid: name, resourceVersion: '7' } });
      return answer(stored.get(name));
    },
    get: async (_: unknown, { name }: { name: string }) => answer(stored.get(name)),
    patch: async (_: unknown, { name }: { name: string }, { body }: { body: object }) => {
      requests.push(body);
      return answer(stored.get(name));
    },
    delete: async (_: unknown, { name }: { name: string }, { uid }: { uid: string }) => {
      const found = answer(stored.get(name));
      if (found.metadata.uid !== uid) throw new ApiError('Conflict', 'Conflict');
      stored.delete(name);
      return found;
    },
  };
  context = boxContext(client);
});

const create = (manifest: Manifest<ControllerRevision>) => createRevision(context, { do: 'createRevision', manifest });

describe('controller_history_test.go TestRealHistory_CreateControllerRevision', () => {
  it('creates new', async () => {
    expect(await create(revisionOf('box', 'web:1'))).toBe(true);
    expect([...stored.keys()]).toEqual([revisionOf('box', 'web:1').metadata.name]);
  });

  it("doesn't conflict when parents differ", async () => {
    await create(revisionOf('box', 'web:1'));
    expect(await create(revisionOf('crate', 'web:1'))).toBe(true);
    expect(stored.size).toBe(2);
  });

  it('renames on conflict: a name with another template is a collision, and the next count gives another name', async () => {
    await create({ ...revisionOf('box', 'web:2'), metadata: revisionOf('box', 'web:1').metadata });
    expect(await create(revisionOf('box', 'web:1'))).toBe(false);
    expect(await create(revisionOf('box', 'web:1', 1))).toBe(true);
    expect(stored.size).toBe(2);
  });

  it('takes its own earlier attempt for the one', async () => {
    await create(revisionOf('box', 'web:1'));
    expect(await create(revisionOf('box', 'web:1'))).toBe(true);
    expect(stored.size).toBe(1);
  });
});

describe('controller_history_test.go TestRealHistory_UpdateControllerRevision', () => {
  const name = revisionOf('box', 'web:1').metadata.name as string;
  const update = () =>
    updateRevision(context, {
      do: 'updateRevision',
      name,
      uid: name,
      resourceVersion: '7',
      number: 5,
      annotations: { a: 'b' },
    });

  it('succeeds, if the revision is still what was looked at', async () => {
    await create(revisionOf('box', 'web:1'));
    await update();
    expect(requests).toEqual([{ metadata: { uid: name, resourceVersion: '7', annotations: { a: 'b' } }, revision: 5 }]);
  });

  it.each<ApiFailure>(['ServerError', 'Conflict', 'NotFound'])('fails on error: %s', async (answer) => {
    await create(revisionOf('box', 'web:1'));
    failure = answer;
    await expect(update()).rejects.toThrow(answer);
  });
});

describe('controller_history_test.go TestRealHistory_DeleteControllerRevision', () => {
  const name = revisionOf('box', 'web:1').metadata.name as string;
  const remove = (uid: string) => deleteRevision(context, { do: 'deleteRevision', name, uid, because: 'b' });

  it('deletes an existing one', async () => {
    await create(revisionOf('box', 'web:1'));
    await remove(name);
    expect(stored.size).toBe(0);
  });

  it('leaves another one of that name alone', async () => {
    await create(revisionOf('box', 'web:1'));
    await remove('uid-of-one-before');
    expect(stored.size).toBe(1);
  });

  it('has nothing to do about one that is gone, of an empty history or not', async () => {
    await expect(remove('x')).resolves.toBeUndefined();
    await create(revisionOf('box', 'web:2'));
    await expect(remove('x')).resolves.toBeUndefined();
    expect(stored.size).toBe(1);
  });

  it('fails when it was refused', async () => {
    await create(revisionOf('box', 'web:1'));
    failure = 'Forbidden';
    await expect(remove(name)).rejects.toThrow('Forbidden');
  });
});
