// Rollouts under a RolloutPolicy on a real cluster: steps, promotions, an abort, a retry, and what every command says of them.

import { describe, expect, it } from '@jest/globals';
import { COMPLETED } from '../../../src/policy/attempt.ts';
import { PROMOTE } from '../../../src/policy/requests.ts';
import { rolloutPolicies } from '../../../src/policy/resource.ts';
import type { RolloutPolicySpec } from '../../../src/policy/types.gen.ts';
import { type Scene, version } from '../../e2e/scene.ts';
import { eventually } from '../../support/eventually.ts';
import type { Plugin, Stage } from '../plugin.ts';

const STEPS: RolloutPolicySpec['steps'] = [
  { replicas: 1, pause: { until: 'Promoted' } },
  { replicas: '50%', pause: { duration: '1h' } },
];

/** Four pods of version 1, complete under a policy. */
async function governed(web: Scene): Promise<void> {
  const spec: RolloutPolicySpec = { targetRef: { name: 'web' }, steps: STEPS ?? [], rollback: {} };
  await web.client.create(rolloutPolicies, { metadata: web.ref('web'), spec });
  await web.create({ replicas: 4, ...version('v1') });
  await web.complete();
  await eventually(async () => {
    const [revision] = await web.revisions();
    expect(revision?.metadata.annotations).toMatchObject({ [COMPLETED]: '1' });
  });
}

async function requested(web: Scene): Promise<string | undefined> {
  const { metadata } = await web.client.get(rolloutPolicies, web.ref('web'));
  return metadata.annotations?.[PROMOTE];
}

export function policyScenes({ scene }: Stage, { run, open, start }: Plugin): void {
  describe('a rollout under a policy', () => {
    it.concurrent(
      'rests in its steps until it is promoted, and every command says so',
      scene(async (web) => {
        await governed(web);
        const md = (...args: string[]) => run(web.namespace, ...args);
        const early = await md('rollout', 'promote', 'web');
        expect(early).toEqual({
          code: 1,
          stdout: '',
          stderr: 'error: cannot promote mydeployment "web": there is nothing to promote: no rollout is under way\n',
        });
        await web.change(version('v2'));
        const following = start(web.namespace, 'rollout', 'status', 'web');
        const paused = await md('rollout', 'status', 'web', '--until-paused', '--timeout=1m');
        expect(paused.code).toBe(0);
        expect(paused.stdout).toContain('step 1 of 2 waits for a promotion (kubectl md rollout promote web)...\n');
        expect(await web.images()).toEqual({ 'web:v1': 3, 'web:v2': 1 });
        const [shown, because, migrated] = await Promise.all([
          md('get', 'web'),
          md('why', 'web'),
          md('migrate', 'md/web'),
        ]);
        expect(shown.stdout).toMatch(/^mydeployment\/web {2}Progressing: .* \(AwaitingPromotion\)$/m);
        expect(shown.stdout).toMatch(/^rolloutpolicy\/web {2}revision 2 is at step 1 of 2, 1 pod$/m);
        expect(shown.stdout).toMatch(/^ {2}▶ step 1 {2}1 pod {9}waits for promotion, \d+s so far: kubectl md/m);
        expect(shown.stdout).toMatch(/^ {2}○ step 2 {2}50% = 2 pods$/m);
        expect(because.stdout).toMatch(/● Step 1 of 2, 1 pod, has been waiting for promotion for \d+s\.$/m);
        expect(migrated.stderr).toContain('revision 2 is at step 1 of 2, 1 pod');

        const dry = await md('rollout', 'promote', 'web', '--dry-run=server');
        expect(dry.stdout).toBe('mydeployment "web" promoted: on to step 2 of 2, 50% = 2 pods (server dry run)\n');
        expect(await requested(web)).toBeUndefined();
        const promoted = await open(web.namespace, ['rollout', 'promote', 'md/web']);
        expect(await promoted.exited).toBe(0);
        expect(promoted.screen()).toEqual(['mydeployment "web" promoted: step 2 of 2, 50% = 2 pods']);
        await web.condition('Reconciling', 'True', 'StepPaused');
        expect(await web.images()).toEqual({ 'web:v1': 2, 'web:v2': 2 });

        await md('rollout', 'pause', 'web');
        const held = await md('rollout', 'promote', 'web');
        expect(held.stdout).toBe(
          'mydeployment "web" waits: the promotion is requested, and is served when it is resumed\n',
        );
        expect(await requested(web)).toContain('"step":2');
        await md('rollout', 'resume', 'web');
        expect(await following.exited).toBe(0);
        await web.complete();
        await eventually(async () => {
          const history = await md('rollout', 'history', 'web');
          expect(history.stdout).toMatch(/^2 +<none> +completed; step 1 promoted.*; step 2 promoted.*$/m);
        });
      }),
    );

    it.concurrent(
      'is aborted and retried; undo skips what was rejected unless it is named',
      scene(async (web) => {
        await governed(web);
        const md = (...args: string[]) => run(web.namespace, ...args);
        await web.change(version('v2'));
        await web.condition('Reconciling', 'True', 'AwaitingPromotion');
        const aborted = await md('rollout', 'abort', 'web');
        expect(aborted.stdout).toBe('mydeployment "web" aborted: revision 2 is rejected, going back to revision 1\n');
        await eventually(async () => expect(await web.images()).toEqual({ 'web:v1': 4 }));
        await web.condition('Stalled', 'True', 'RevisionRejected');
        const [status, shown, because, again] = await Promise.all([
          md('rollout', 'status', 'web'),
          md('get', 'web'),
          md('why', 'web'),
          md('rollout', 'abort', 'web'),
        ]);
        expect(status.code).toBe(1);
        expect(status.stderr).toMatch(/^error: mydeployment "web" is stalled \(RevisionRejected\): .*abort/);
        expect(shown.stdout).toMatch(/^rolloutpolicy\/web {2}revision 2 was aborted/m);
        expect(because.stdout).toMatch(/● Revision 2 was aborted.* The pods are those of revision 1/);
        expect(again.stderr).toMatch(/there is nothing to abort: revision 2 was aborted/);

        const tried = await md('rollout', 'undo', 'web', '--to-revision=2');
        expect(tried.stdout).toBe('mydeployment "web" retried: as revision 3, step 1 of 2, 1 pod\n');
        await web.condition('Reconciling', 'True', 'AwaitingPromotion');
        await md('rollout', 'abort', 'web');
        await web.condition('Stalled', 'True', 'RevisionRejected');
        await web.change(version('v3'));
        await web.condition('Reconciling', 'True', 'AwaitingPromotion');
        const [back, full] = [
          await md('rollout', 'undo', 'web', '--dry-run'),
          await md('rollout', 'promote', 'web', '--full'),
        ];
        expect(back.stdout).toContain('+++ revision 1\n');
        expect(full.stdout).toMatch(/^mydeployment "web" promoted in full: (all 4 pods|revision 4 is rolled out)\n$/);
        expect((await md('rollout', 'status', 'web', '--timeout=1m')).code).toBe(0);
        const retried = await md('rollout', 'retry', 'web');
        expect(retried.stderr).toBe(
          'error: cannot retry mydeployment "web": there is nothing to retry: no rollout is under way\n',
        );
      }),
    );

    it.concurrent(
      'is shown without its policy to a user who may not read policies',
      scene(async (web) => {
        await governed(web);
        await web.kubectl('create', 'role', 'reader', '--verb=get,list,watch', ...READABLE);
        await web.kubectl('create', 'rolebinding', 'reader', '--role=reader', '--user=jane');
        const md = (...args: string[]) => run(web.namespace, ...args, '--as=jane');
        const shown = await eventually(async () => {
          const { stdout } = await md('get', 'web');
          expect(stdout).toMatch(/^mydeployment\/web {2}Healthy/);
          return stdout;
        });
        expect(shown).not.toContain('rolloutpolicy');
        const [followed, because, promoted] = await Promise.all([
          md('get', 'web', '-w', '--timeout=1s'),
          md('why', 'web'),
          md('rollout', 'promote', 'web'),
        ]);
        expect(followed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mydeployment\/web {2}Healthy/) });
        expect(because.stderr).toContain(`rolloutpolicies.kubebuilder.zq.com in namespace ${web.namespace}`);
        expect(promoted.stderr).toMatch(/^Error from server \(Forbidden\): rolloutpolicies.* is forbidden/);
      }),
    );
  });
}

const READABLE = ['mydeployments.kubebuilder.zq.com', 'controllerrevisions.apps', 'pods', 'events'].map(
  (resource) => `--resource=${resource}`,
);
