// What kwok cannot show about workloads: containers that answer probes, take their time to end, or crash. Most of it is waiting, so
// most tests run concurrently.

import { expect, it } from '@jest/globals';
import { NODE_NAME } from '../../src/cluster/node/network.ts';
import type { Pod as FullPod } from '../../src/runtime/built-in.ts';
import { eventually } from '../support/eventually.ts';
import type { RolloutWatch } from '../support/rollout-watch.ts';
import { firstAnswer, underLoad } from './support/load.ts';
import { installOperatorOn } from './support/operator.ts';
import { describeOnRealNode } from './support/real-cluster.ts';
import { type Story, storyOn } from './support/story.ts';
import { probe } from './support/web-servers.ts';

await describeOnRealNode('workloads with real containers', installOperatorOn, (real) => {
  const story = (play: (story: Story) => Promise<void>) => storyOn(real, play);

  it.concurrent.each([
    { what: 'crash', broken: { command: ['sh', '-c', 'exit 1'] }, state: { waiting: { reason: 'CrashLoopBackOff' } } },
    {
      what: 'never get ready',
      broken: { container: { readinessProbe: probe('/missing') } },
      state: { running: expect.anything() },
    },
  ])('keep their old pods while new ones $what, say so, and recover with the next template', ({ broken, state }) =>
    story(async ({ web }) => {
      const good = { replicas: 3, body: 'good', spec: { progressDeadlineSeconds: 4 } };
      await web.rollOut(good);
      const old = await web.uids();
      await web.apply({ ...good, ...broken });
      await eventually(async () => {
        const { status } = await web.get();
        expect(status).toMatchObject({
          readyReplicas: 3,
          availableReplicas: 3,
          updatedReplicas: 1,
          unavailableReplicas: 1,
        });
        expect(status?.conditions).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ type: 'Available', status: 'True' }),
            expect.objectContaining({ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }),
          ]),
        );
        const added = (await web.pods()).filter(({ metadata }) => !old.includes(metadata.uid));
        expect(added).toMatchObject([{ status: { containerStatuses: [{ ready: false, state }] } }]);
      });
      expect(await web.uids()).toEqual(expect.arrayContaining([...old]));
      await web.rollOut({ ...good, body: 'better' });
    })(),
  );

  it.concurrent(
    'lose a pod that does not answer its liveness probe until its container has restarted',
    story(async ({ namespace, web, watch }) => {
      await web.rollOut({ replicas: 1, body: 'alive', container: { livenessProbe: probe('/') } });
      const [pod] = await web.pods();
      watch.disturb(pod?.metadata.name ?? '');
      await real.kubectl(['-n', namespace, 'exec', pod?.metadata.name ?? '', '--', 'rm', '/tmp/index.html']);
      await eventually(async () => expect((await web.get()).status).toMatchObject({ unavailableReplicas: 1 }));
      await web.rolledOut();
      const [now] = await web.pods();
      expect(now?.metadata.uid).toBe(pod?.metadata.uid);
      expect(now?.status?.containerStatuses?.[0]).toMatchObject({ ready: true, restartCount: 1 });
    }),
  );

  it.concurrent(
    'end as their template says before they are recreated: preStop first, SIGKILL when the grace period is over',
    story(async ({ web, watch }) => {
      const recreated = { replicas: 2, spec: { strategy: { type: 'Recreate' } } };
      const preStop = { lifecycle: { preStop: { exec: { command: ['sleep', '2'] } } } };
      const polite = { ...recreated, body: 'polite', container: preStop };
      const deaf = {
        ...recreated,
        body: 'deaf',
        command: ['sh', '-c', "trap '' TERM; httpd -f -p 8080 -h /bin"],
        pod: { terminationGracePeriodSeconds: 3 },
      };
      await web.rollOut(polite);
      const first = await web.uids();
      await web.rollOut({ ...deaf, container: { readinessProbe: probe('/busybox'), lifecycle: {} } });
      const second = await web.uids();
      await web.rollOut({ ...polite, body: 'polite again' });
      expect(endingsOf(watch, first, 2)).toEqual(first.map(() => ({ grace: 10, exitCode: 0, tooEarly: false })));
      expect(endingsOf(watch, second, 3)).toEqual(second.map(() => ({ grace: 3, exitCode: 137, tooEarly: false })));
    }),
  );

  it.concurrent(
    'of every kind run as in the samples',
    story(async ({ namespace }) => {
      await real.kubectl(['-n', namespace, 'apply', '-f', 'samples/']);
      const shown = async (kind: string): Promise<unknown> =>
        JSON.parse(await real.kubectl(['-n', namespace, 'get', kind, '-o', 'jsonpath={.items[0].status}']));
      await eventually(async () => {
        expect(await shown('mydeployments')).toMatchObject({ readyReplicas: 3 });
        expect(await shown('imoocpods')).toMatchObject({ readyReplicas: 3 });
        expect(await shown('mydaemonsets')).toMatchObject({ numberReady: 1 });
        expect(await shown('modelboxes')).toMatchObject({ ready: '4/4' });
        expect(await shown('collectors')).toMatchObject({ target: 'MyDeployment/mydeployment-sample' });
      });
    }),
  );

  // One at a time, after the others: a drain closes the node to everybody.
  it(
    'are rolled behind a Service without a failed request',
    story(async ({ web }) => {
      await web.rollOut({ replicas: 4, body: 'old' });
      const url = await web.expose();
      await firstAnswer(real, url);
      const { answered, failures, bodies } = await underLoad(real, url, () =>
        web.rollOut({ replicas: 4, body: 'new' }),
      );
      expect(failures).toEqual([]);
      expect(bodies).toEqual(['old\n', 'new\n']);
      expect(answered).toBeGreaterThan(100);
    }),
  );

  it(
    'are evicted by a drain only as far as their budget allows, and come back',
    story(async ({ namespace, web, watch }) => {
      await web.rollOut({ replicas: 3, body: 'steady' });
      const url = await web.expose();
      await firstAnswer(real, url);
      await real.apply(budgetOf(namespace));
      const allowed = ['-n', namespace, 'get', 'pdb', 'web', '-o', 'jsonpath={.status.disruptionsAllowed}'];
      const old = await web.pods();
      const { failures } = await underLoad(real, url, async () => {
        await eventually(async () => expect(await real.kubectl(allowed)).toBe('1'));
        const drain = ['drain', NODE_NAME, '--pod-selector=app=web', '--timeout=8s'];
        await expect(real.kubectl(drain)).rejects.toThrow("would violate the pod's disruption budget");
        expect((await web.get()).status).toMatchObject({ replicas: 3, readyReplicas: 2 });
        await real.kubectl(['uncordon', NODE_NAME]);
        const now = await web.uids();
        const gone = old.filter(({ metadata }) => !now.includes(metadata.uid));
        watch.disturb(...gone.map(({ metadata }) => metadata.name));
        await web.rolledOut();
      });
      expect(failures).toEqual([]);
      const now = await web.uids();
      expect(old.filter(({ metadata }) => now.includes(metadata.uid))).toHaveLength(2);
    }),
  );
});

/** How the containers of these pods ended, and whether that was earlier than so many seconds after their deletion. */
function endingsOf({ history }: RolloutWatch, uids: readonly string[], atLeastSeconds: number): object[] {
  return uids.map((uid) => {
    const seen = history.flatMap(({ kind, object }) =>
      kind === 'Pod' && object.metadata.uid === uid ? [object as FullPod] : [],
    );
    const { deletionTimestamp, deletionGracePeriodSeconds: grace = 0 } =
      seen.find(({ metadata }) => metadata.deletionTimestamp)?.metadata ?? {};
    const ended = seen.findLast(({ status }) => status?.containerStatuses?.[0]?.state?.terminated);
    const { exitCode, finishedAt } = ended?.status?.containerStatuses?.[0]?.state?.terminated ?? {};
    const seconds = (Date.parse(String(finishedAt)) - Date.parse(String(deletionTimestamp))) / 1_000 + grace;
    return { grace, exitCode, tooEarly: !(seconds >= atLeastSeconds) };
  });
}

/** The API server asks the MyDeployment's scale subresource how many pods there should be. */
function budgetOf(namespace: string): object {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
  };
}
