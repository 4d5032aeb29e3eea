import { describe, expect, it } from '@jest/globals';
import { commandOf } from '../../../src/kubectl/dashboard/act/command.ts';
import { consequences } from '../../../src/kubectl/dashboard/act/consequences.ts';
import type { ActRequest } from '../../../src/kubectl/dashboard/protocol.ts';
import { readAct } from '../../../src/kubectl/dashboard/server/requests.ts';
import { myDeployment } from '../../kinds/my-deployment/fixture.ts';

const web = { namespace: 'shop', name: 'web' };
const request = (verb: ActRequest['verb'], more: Partial<ActRequest> = {}): ActRequest => ({ ...web, verb, ...more });

describe('the command that does the same', () => {
  it.each([
    { asked: request('pause'), command: 'kubectl md rollout pause web -n shop' },
    { asked: request('undo', { revision: 3 }), command: 'kubectl md rollout undo web --to-revision=3 -n shop' },
    { asked: request('undo'), command: 'kubectl md rollout undo web -n shop' },
    { asked: request('scale', { replicas: 0 }), command: 'kubectl scale md/web --replicas=0 -n shop' },
    { asked: request('promote', { full: true }), command: 'kubectl md rollout promote web --full -n shop' },
    {
      asked: request('set image', { images: { a: 'x:1', b: "y:$(rm)'" } }),
      command: `kubectl md set image web a=x:1 'b=y:$(rm)'\\''' -n shop`,
    },
  ])('is $command', ({ asked, command }) => {
    expect(commandOf(asked)).toBe(command);
  });
});

describe('what an action does', () => {
  const before = myDeployment({ replicas: 10, maxSurge: 3, maxUnavailable: 2, version: 'v1' });
  const paced = 'There are at most 13 pods at a time, and at least 8 available.';
  const status = { replicas: 10, updatedReplicas: 4 };

  it.each([
    {
      verb: 'set image',
      after: { version: 'v2' },
      says: ['Container web: web:v1 becomes web:v2.', `It rolls out to 10 pods. ${paced}`],
    },
    { verb: 'undo', after: {}, says: ['Nothing changes: the template is already this one.'] },
    {
      verb: 'undo',
      after: { version: 'v2', paused: true },
      says: ['It is paused: the new template waits until it is resumed.'],
    },
    { verb: 'restart', after: {}, says: [`All 10 pods are replaced by new ones of the same template. ${paced}`] },
    { verb: 'scale', after: { replicas: 4 }, says: ['6 pods are deleted: 4 instead of 10.'] },
    { verb: 'scale', after: { replicas: 11 }, says: ['1 pod more: 11 instead of 10.'] },
    { verb: 'scale', after: { replicas: 0 }, says: ['All 10 pods are deleted, and nothing serves any more.'] },
    { verb: 'scale', after: {}, says: ['Nothing changes: it has 10 replicas already.'] },
    { verb: 'resume', after: { status }, says: [`The rollout goes on. ${paced}`] },
  ] as const)('$verb says $says', ({ verb, after, says }) => {
    const changed = myDeployment({ replicas: 10, maxSurge: 3, maxUnavailable: 2, version: 'v1', ...after });
    expect(consequences(request(verb), { ...before, ...('status' in after && { status }) }, changed)).toEqual(says);
  });

  it('speaks of Recreate, and of no pods', () => {
    const recreated = myDeployment({ replicas: 2, strategy: { type: 'Recreate' } });
    expect(consequences(request('restart'), recreated, recreated)[0]).toContain('All old pods end before');
    const none = myDeployment({ replicas: 0 });
    expect(consequences(request('resume'), myDeployment({ replicas: 0, status }), none)[0]).toContain(
      'nothing is replaced',
    );
  });
});

describe('what the page asks for', () => {
  it('is read field by field', () => {
    const asked = { verb: 'scale', ...web, replicas: 3, generation: 7 };
    expect(readAct({ ...asked, other: 'ignored' })).toEqual(asked);
    expect(readAct({ verb: 'set image', ...web, images: { a: 'b' } })).toEqual({
      verb: 'set image',
      ...web,
      images: { a: 'b' },
    });
  });

  it.each([
    { body: null, says: 'the body is an object, got null' },
    { body: { verb: 'delete', ...web }, says: 'verb is one of pause, resume' },
    {
      body: { verb: 'pause', namespace: '../secrets', name: 'web' },
      says: 'namespace is the name of an object, got "../secrets"',
    },
    { body: { verb: 'pause', namespace: 'a', name: 7 }, says: 'name is the name of an object, got 7' },
    { body: { verb: 'scale', ...web, replicas: -1 }, says: 'replicas is a whole number from 0 on, got -1' },
    { body: { verb: 'set image', ...web, images: { a: ' b' } }, says: 'images.a is an image, got " b"' },
    { body: { verb: 'set image', ...web, images: ['a'] }, says: 'images is an object, got ["a"]' },
  ])('is refused by name: $says', ({ body, says }) => {
    expect(() => readAct(body)).toThrow(says);
  });
});
