import { describe, expect, it } from '@jest/globals';
import { commandOf } from '../../../src/kubectl/dashboard/act/command.ts';
import { consequences } from '../../../src/kubectl/dashboard/act/consequences.ts';
import type { ActRequest } from '../../../src/kubectl/dashboard/protocol.ts';
import { readAct } from '../../../src/kubectl/dashboard/server/requests.ts';
import { myDeployment, type ObjectOptions } from '../../kinds/my-deployment/fixture.ts';
import { objectOf, type SceneOptions, standing } from '../policy/scene.ts';

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
    { verb: 'restart', after: {}, says: ['All 10 pods are replaced by new ones of the same template.', paced] },
    { verb: 'scale', after: { replicas: 4 }, says: ['6 pods are deleted: 4 instead of 10.'] },
    { verb: 'scale', after: { replicas: 11 }, says: ['1 pod more: 11 instead of 10.'] },
    { verb: 'scale', after: { replicas: 0 }, says: ['All 10 pods are deleted, and nothing serves any more.'] },
    { verb: 'scale', after: {}, says: ['Nothing changes: it has 10 replicas already.'] },
    { verb: 'resume', after: { status }, says: [`The rollout goes on. ${paced}`] },
  ] as const)('$verb says $says', ({ verb, after, says }) => {
    const changed = myDeployment({ replicas: 10, maxSurge: 3, maxUnavailable: 2, version: 'v1', ...after });
    const change = { before: { ...before, ...('status' in after && { status }) }, after: changed, standing: undefined };
    expect(consequences(request(verb), change)).toEqual(says);
  });

  it('speaks of Recreate, and of no pods', () => {
    const recreated = myDeployment({ replicas: 2, strategy: { type: 'Recreate' } });
    const restart = { before: recreated, after: recreated, standing: undefined };
    expect(consequences(request('restart'), restart)[1]).toContain('All old pods end before');
    const resume = { before: myDeployment({ replicas: 0, status }), after: myDeployment({ replicas: 0 }) };
    expect(consequences(request('resume'), { ...resume, standing: undefined })[0]).toContain('nothing is replaced');
  });

  const canary = 'There are at most 11 pods at a time, and at least 10 available.';
  const atFirst = `It begins at step 1 of 3, 1 pod, under rolloutpolicy "web". ${canary}`;

  // Revision 2 has template v1 and is the stable one; revision 3 has v2.
  it.each<{ what: string; verb: ActRequest['verb']; scene: SceneOptions; after: ObjectOptions; says: string }>([
    { what: 'a new template', verb: 'set image', scene: {}, after: { version: 'v3' }, says: atFirst },
    { what: 'a restart', verb: 'restart', scene: { completed: 3 }, after: { version: 'v3' }, says: atFirst },
    {
      what: 'a new template after a rejection',
      verb: 'undo',
      scene: { rejected: {} },
      after: { version: 'v3' },
      says: atFirst,
    },
    {
      what: 'the template of the stable revision',
      verb: 'undo',
      scene: {},
      after: { version: 'v1' },
      says: `It goes straight back to revision 2, without steps. ${canary}`,
    },
    {
      what: 'a template without steps',
      verb: 'set image',
      scene: { spec: { steps: [], gates: [] } },
      after: { version: 'v3' },
      says: `It rolls out to 10 pods. ${canary}`,
    },
    {
      what: 'a template before anything was rolled out',
      verb: 'set image',
      scene: { step: 'none' },
      after: { version: 'v3' },
      says: `It rolls out to 10 pods. ${canary}`,
    },
    {
      what: 'a template under a policy that is not accepted',
      verb: 'set image',
      scene: { completed: 3, spec: { gates: [] } },
      after: { version: 'v3' },
      says: `The rollout holds, because rolloutpolicy "web" is not accepted: spec.steps: there is no gate "smoke". ${canary}`,
    },
    {
      what: 'another size',
      verb: 'scale',
      scene: { step: { step: 2 } },
      after: { replicas: 20 },
      says: 'The rollout stays at step 2 of 3, 25% = 5 pods.',
    },
    {
      what: 'another size after the last step',
      verb: 'scale',
      scene: { step: { step: 4 } },
      after: { replicas: 20 },
      says: '10 pods more: 20 instead of 10.',
    },
    {
      what: 'a pause',
      verb: 'pause',
      scene: {},
      after: {},
      says: 'Steps and gates stand still, too, and nothing goes back by itself.',
    },
  ])('under a policy is told of $what', ({ verb, scene, after, says }) => {
    const [object, changed] = [objectOf(scene), objectOf({ object: { ...scene.object, ...after } })];
    expect(consequences(request(verb), { before: object, after: changed, standing: standing(scene) }).at(-1)).toBe(
      says,
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
