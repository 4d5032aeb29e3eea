// `rollout …` and `set image` on a real cluster, in a pipe and on a terminal.

import { describe, expect, it } from '@jest/globals';
import { CHANGE_CAUSE } from '../../../src/kinds/my-deployment/plan/record.ts';
import { BEHAVIOUR, READY_AFTER } from '../../../src/testing/index.ts';
import { type Scene, version } from '../../e2e/scene.ts';
import { eventually } from '../../support/eventually.ts';
import type { Plugin, Stage } from '../plugin.ts';

const NAME = 'mydeployment.kubebuilder.zq.com/web';

/** Lets all its pods become ready. */
async function recover(web: Scene): Promise<void> {
  await eventually(async () => expect(await web.active()).toHaveLength((await web.get()).spec.replicas as number));
  for (const pod of await web.active()) await web.behave(pod, undefined);
}

export function rolloutScenes({ scene }: Stage, { run, start, open }: Plugin): void {
  describe('rollout status', () => {
    it.concurrent(
      "in a pipe: a line for each state, in kubectl's words, and 0 at the end",
      scene(async (web) => {
        await web.create({ replicas: 3, ...version('v1', { [BEHAVIOUR]: 'not-ready' }) });
        const following = start(web.namespace, 'rollout', 'status', 'md/web');
        await eventually(() => expect(following.stdout()).toMatch(/^Waiting for mydeployment .*\.\.\.$/m));
        await recover(web);
        expect(await following.exited).toBe(0);
        const lines = following.stdout().trimEnd().split('\n');
        expect(lines.at(-1)).toBe('mydeployment "web" successfully rolled out');
        expect(new Set(lines).size).toBe(lines.length);
      }),
    );

    it.concurrent(
      'on a terminal: one line with a bar, drawn in place, and the result below nothing',
      scene(async (web) => {
        await web.create({ replicas: 3, ...version('v1', { [BEHAVIOUR]: 'not-ready' }) });
        const terminal = await open(web.namespace, ['rollout', 'status', 'web']);
        await eventually(() =>
          expect(terminal.screen()).toEqual([
            expect.stringMatching(/^[█▒▓░]{30} 3 of 3 updated, 0 available {2}\d+s$/),
          ]),
        );
        await recover(web);
        expect(await terminal.exited).toBe(0);
        expect(terminal.screen()).toEqual(['mydeployment "web" successfully rolled out']);
        expect(terminal.raw).toContain('\u001b[32m');
      }),
    );

    it.concurrent(
      'fails when the deadline passed, when the time is over, when another revision rolls out, and when the object goes',
      scene(async (web) => {
        await web.create({ replicas: 1, ...version('v1') });
        await web.complete();
        await web.change({ progressDeadlineSeconds: 1, ...version('v2', { [READY_AFTER]: '1h' }) });
        const status = (...args: string[]) => run(web.namespace, 'rollout', 'status', 'web', ...args);
        const [late, other, looked] = await Promise.all([
          status('--timeout=100ms'),
          status('--revision=1', '--timeout=30s'),
          status('--watch=false'),
        ]);
        expect([late.code, other.code]).toEqual([1, 1]);
        expect(late.stderr).toMatch(
          /^error: (timed out waiting for the condition|mydeployment "web" exceeded its progress deadline)\n$/,
        );
        expect(other.stderr).toMatch(
          /^error: (desired revision \(1\) is different from the running revision \(2\)|mydeployment "web" exceeded its progress deadline)\n$/,
        );
        expect(looked.stdout + looked.stderr).toMatch(/^(Waiting for|error: mydeployment "web" exceeded)/);
        await web.condition('Progressing', 'False', 'ProgressDeadlineExceeded');
        expect(await status()).toEqual({
          code: 1,
          stdout: '',
          stderr: 'error: mydeployment "web" exceeded its progress deadline\n',
        });

        await web.change({ progressDeadlineSeconds: 600 });
        await web.change(version('v3', { [READY_AFTER]: '1h' }));
        await web.condition('Progressing', 'True', 'ReplicaSetUpdated');
        const waiting = status();
        await web.delete();
        expect((await waiting).stderr).toMatch(/object has been deleted|NotFound/);
        expect((await waiting).code).toBe(1);
      }),
    );
  });

  describe('history, diff and undo', () => {
    it.concurrent(
      'lists, shows, compares and goes back, with the cause; a dry run changes nothing',
      scene(async (web) => {
        await web.create({ replicas: 2, ...version('v1') }, 'web', { annotations: { [CHANGE_CAUSE]: 'first light' } });
        await web.complete();
        await web.patch({ metadata: { annotations: { [CHANGE_CAUSE]: null } }, spec: version('v2') });
        await web.complete();
        const history = await run(web.namespace, 'rollout', 'history', 'web');
        expect(history).toEqual({
          code: 0,
          stderr: '',
          stdout: `${NAME}\nREVISION  CHANGE-CAUSE\n1         first light\n2         <none>\n`,
        });
        const one = await run(web.namespace, 'rollout', 'history', 'web', '--revision=1');
        expect(one.stdout).toMatch(
          /^mydeployment.kubebuilder.zq.com\/web with revision #1\nChange cause: first light\nPod Template:\n/,
        );
        expect(one.stdout).toContain('image: web:v1');
        const table = await open(web.namespace, ['rollout', 'history', 'web']);
        expect(await table.exited).toBe(0);
        expect(table.screen()).toEqual(history.stdout.trimEnd().split('\n'));
        const shown = await open(web.namespace, ['rollout', 'history', 'web', '--revision=1']);
        expect(await shown.exited).toBe(0);
        expect(shown.screen()).toEqual(one.stdout.trimEnd().split('\n'));
        const named = await run(web.namespace, 'rollout', 'history', 'web', '-o', 'name');
        expect(named.stdout).toMatch(/^(controllerrevision.apps\/web-\w+\n){2}$/);

        const difference = await run(web.namespace, 'rollout', 'diff', 'web');
        expect(difference.stdout.split('\n')).toEqual(
          expect.arrayContaining(['--- revision 1', '+++ revision 2', '-    - image: web:v1', '+    - image: web:v2']),
        );
        const terminal = await open(web.namespace, ['rollout', 'diff', 'web', '2', '1']);
        expect(await terminal.exited).toBe(0);
        expect(terminal.raw).toContain('\u001b[31m-    - image: web:v2\u001b[39m');
        expect(terminal.screen()).toContain('+    - image: web:v1');

        const tried = await run(web.namespace, 'rollout', 'undo', 'web', '--dry-run=server');
        expect(tried.stdout).toMatch(
          /^mydeployment.kubebuilder.zq.com\/web rolled back \(server dry run\)\n--- revision 2\n/,
        );
        expect(await web.images()).toEqual({ 'web:v2': 2 });
        const undone = await open(web.namespace, ['rollout', 'undo', 'web']);
        expect(await undone.exited).toBe(0);
        expect(undone.screen()).toEqual([`${NAME} rolled back`]);
        const object = await web.complete();
        expect(await web.images()).toEqual({ 'web:v1': 2 });
        expect(object.metadata.annotations).toMatchObject({ [CHANGE_CAUSE]: 'first light' });
        const again = await run(web.namespace, 'rollout', 'undo', 'web', '--to-revision=3');
        expect(again.stdout).toBe(`${NAME} skipped rollback (current template already matches revision 3)\n`);
        const missing = await run(web.namespace, 'rollout', 'undo', 'web', '--to-revision=9');
        expect(missing).toEqual({
          code: 1,
          stdout: '',
          stderr: 'error: unable to find specified revision 9 in history\n',
        });
      }),
    );
  });

  describe('pause, resume, restart and set image', () => {
    it.concurrent(
      'do what they say, refuse what makes no sense, and say so as kubectl does',
      scene(async (web) => {
        await web.create({ replicas: 2, ...version('v1') });
        await web.complete();
        const kinds = ['web', 'md/web', 'mydeployment/web', 'mydeployments.kubebuilder.zq.com/web'];
        const [a = '', b = '', c = '', d = ''] = kinds;
        const paused = await open(web.namespace, ['rollout', 'pause', a]);
        expect(await paused.exited).toBe(0);
        expect(paused.screen()).toEqual([`${NAME} paused`]);
        expect((await run(web.namespace, 'rollout', 'pause', b)).stderr).toBe(
          'error: mydeployments.kubebuilder.zq.com "web" is already paused\n',
        );
        expect((await run(web.namespace, 'rollout', 'undo', b)).stderr).toContain('error: no rollout history found');
        expect((await run(web.namespace, 'set', 'image', b, 'web=web:v2')).stdout).toBe(`${NAME} image updated\n`);
        await web.condition('Progressing', 'Unknown', 'DeploymentPaused');
        expect(await web.images()).toEqual({ 'web:v1': 2 });
        expect((await run(web.namespace, 'rollout', 'restart', b)).code).toBe(1);
        const resumed = await open(web.namespace, ['rollout', 'resume', c]);
        expect(await resumed.exited).toBe(0);
        expect(resumed.screen()).toEqual([`${NAME} resumed`]);
        expect((await run(web.namespace, 'rollout', 'resume', d)).code).toBe(1);
        await web.complete();
        expect(await web.images()).toEqual({ 'web:v2': 2 });

        const before = (await web.active()).map(({ metadata }) => metadata.uid);
        const restarted = await open(web.namespace, ['rollout', 'restart', 'web']);
        expect(await restarted.exited).toBe(0);
        expect(restarted.screen()).toEqual([`${NAME} restarted`]);
        await run(web.namespace, 'rollout', 'status', 'web');
        expect((await web.active()).filter(({ metadata }) => before.includes(metadata.uid))).toEqual([]);

        const unknown = await run(web.namespace, 'set', 'image', 'web', 'wbe=web:v3');
        expect(unknown.stderr).toBe('error: unable to find container named "wbe"; there is web\n');
        const dry = await run(web.namespace, 'set', 'image', 'web', '*=web:v3', '--dry-run=client', '-o', 'yaml');
        expect(dry.stdout).toContain('image: web:v3');
        expect(await web.images()).toEqual({ 'web:v2': 2 });
        const image = await open(web.namespace, ['set', 'image', 'web', 'web=web:v3']);
        expect(await image.exited).toBe(0);
        expect(image.screen()).toEqual([`${NAME} image updated`]);
        await web.complete();
      }),
    );
  });
}
