// `migrate` under load: twenty replicas, and a watch that judges at every single event. No pod is ever lost, made or
// restarted; only owners change.

import { describe, expect, it } from '@jest/globals';
import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import { deployments, replicaSets } from '../../../src/runtime/built-in.ts';
import { controllerOf } from '../../../src/runtime/object.ts';
import { apiVersionOf } from '../../../src/runtime/resource.ts';
import { isActive, isReady } from '../../../src/workload/pod.ts';
import { controllerRevisions } from '../../../src/workload/write-context.ts';
import type { Scene } from '../../e2e/scene.ts';
import { eventually } from '../../support/eventually.ts';
import { PodWatch } from '../../support/pod-watch.ts';
import { KILLED, type Plugin, type Stage } from '../plugin.ts';

const REPLICAS = 20;
const AUTOSCALED = 'jsonpath={.spec.scaleTargetRef.apiVersion} {.spec.scaleTargetRef.kind}';

export function migrateScenes({ scene, client }: Stage, { run, open, start }: Plugin): void {
  /** Each pod's uid, by name. */
  async function uids(web: Scene): Promise<Record<string, string>> {
    return Object.fromEntries((await web.allPods()).map(({ metadata }) => [metadata.name, metadata.uid]));
  }

  async function watchReady(web: Scene, replicas = REPLICAS): Promise<PodWatch> {
    return PodWatch.open(client, web.namespace, (present) => {
      const ready = present.filter((pod) => isActive(pod) && isReady(pod)).length;
      return ready === replicas ? undefined : `${ready} pods are ready`;
    });
  }

  /** Runs a migration again and again and kills it, one step later each time, until it ends by itself. */
  async function migrateAndKill(web: Scene, what: string): Promise<{ code: number; killedAfter: string[] }> {
    const killedAfter: string[] = [];
    for (let steps = 1; ; steps++) {
      const migrating = start(web.namespace, 'migrate', what);
      let hasEnded = false;
      void migrating.exited.then(() => {
        hasEnded = true;
      });
      const isThere = new RegExp(`^${steps}/(?!${steps} ).*✔$`, 'm'); // not the last step: there is no going on from it
      await eventually(() => expect(hasEnded || isThere.test(migrating.stdout())).toBe(true), 60_000, 5);
      migrating.kill();
      const code = await migrating.exited;
      if (code !== KILLED) return { code, killedAfter };
      killedAfter.push(migrating.stdout().trimEnd().split('\n').at(-1) as string);
    }
  }

  async function deploy(web: Scene, replicas = REPLICAS): Promise<void> {
    await web.kubectl('create', 'deployment', 'shop', '--image=shop:v1', `--replicas=${replicas}`);
    await web.kubectl('rollout', 'status', 'deployment/shop');
    await web.kubectl('set', 'image', 'deployment/shop', 'shop=shop:v2');
    await web.kubectl('rollout', 'status', 'deployment/shop');
    await web.kubectl('annotate', 'deployment/shop', 'kubernetes.io/change-cause=second try');
    await web.kubectl('rollout', 'status', 'deployment/shop');
    await eventually(async () => expect(await web.allPods()).toHaveLength(replicas));
  }

  describe('migrate', () => {
    it.concurrent(
      'there and back: the same pods, never one fewer ready, and history and autoscaler go along',
      scene(async (web) => {
        await deploy(web);
        await web.kubectl('autoscale', 'deployment', 'shop', '--min=2', '--max=30');
        const before = await uids(web);
        const watch = await watchReady(web);
        const plan = await run(web.namespace, 'migrate', 'deployment/shop', '--dry-run');
        expect(plan.stdout).toMatch(/^1\. create MyDeployment "shop", paused.* \(dry run\)\n/);
        expect(plan.stdout).toMatch(/point HorizontalPodAutoscaler "shop" at the MyDeployment \(dry run\)\n$/);
        expect(await client.list(replicaSets, { namespace: web.namespace })).toMatchObject({ items: { length: 2 } });

        const terminal = await open(web.namespace, ['migrate', 'deployment/shop']);
        expect(await terminal.exited).toBe(0);
        expect(terminal.screen()).toHaveLength(plan.stdout.trimEnd().split('\n').length);
        expect(terminal.screen().every((line) => line.endsWith('✔'))).toBe(true);
        expect(await uids(web)).toEqual(before);
        await expect(client.get(deployments, web.ref('shop'))).rejects.toThrow('NotFound');
        expect((await client.list(replicaSets, { namespace: web.namespace })).items).toEqual([]);
        const object = await web.complete('shop');
        expect(object.metadata.annotations).not.toHaveProperty(['mydeployment.kubebuilder.zq.com/takes-pods-from']);
        const again = await run(web.namespace, 'migrate', 'deployment/shop');
        expect(again).toMatchObject({ code: 0, stdout: '"shop" is a MyDeployment already: nothing to do\n' });
        const history = await run(web.namespace, 'rollout', 'history', 'shop');
        expect(history.stdout).toMatch(/\n1 +<none>\n2 +second try\n$/);
        expect(await web.kubectl('get', 'hpa', 'shop', '-o', AUTOSCALED)).toBe(
          'kubebuilder.zq.com/v1beta1 MyDeployment',
        );

        const back = await run(web.namespace, 'migrate', 'md/shop');
        expect(back).toMatchObject({ code: 0, stderr: '' });
        expect(await uids(web)).toEqual(before);
        await web.gone('shop');
        expect((await web.allPods()).every((pod) => controllerOf(pod)?.kind === 'ReplicaSet')).toBe(true);
        await web.kubectl('rollout', 'status', 'deployment/shop', '--timeout=60s');
        expect(await web.kubectl('rollout', 'history', 'deployment/shop')).toMatch(/second try/);
        expect(await web.kubectl('get', 'hpa', 'shop', '-o', AUTOSCALED)).toBe('apps/v1 Deployment');
        expect(watch.events).toBeGreaterThan(REPLICAS);
        expect(await watch.close()).toEqual([]);
      }),
    );

    it.concurrent(
      "a user's pod with the same labels blocks no migration, and stays the user's in both directions",
      scene(async (web) => {
        await deploy(web, 2);
        await web.kubectl('run', 'probe', '--image=busybox', '--labels', 'app=shop');
        const probe = async () => (await web.allPods()).find(({ metadata }) => metadata.name === 'probe')?.metadata;
        const before = await probe();
        for (const what of ['deployment/shop', 'md/shop']) {
          expect(await run(web.namespace, 'migrate', what)).toMatchObject({ code: 0, stderr: '' });
          const after = await probe();
          expect(after).toMatchObject({ uid: before?.uid, labels: { app: 'shop' } });
          expect(Object.keys(after?.labels ?? {})).toEqual(['app']);
          expect(after?.ownerReferences).toBeUndefined();
        }
        await web.kubectl('rollout', 'status', 'deployment/shop', '--timeout=60s');
      }),
    );

    it.concurrent(
      'killed at one step after the other, it goes on where it stopped, there and back',
      scene(async (web) => {
        await deploy(web, 3);
        await web.kubectl('autoscale', 'deployment', 'shop', '--min=2', '--max=30');
        const before = await uids(web);
        const watch = await watchReady(web, 3);
        const there = await migrateAndKill(web, 'deployment/shop');
        expect(there.code).toBe(0);
        // How often depends on how far each attempt gets before the signal reaches it.
        expect(there.killedAfter.length).toBeGreaterThanOrEqual(1);
        expect(await uids(web)).toEqual(before);
        expect((await web.allPods()).every((pod) => controllerOf(pod)?.kind === 'MyDeployment')).toBe(true);
        await expect(client.get(deployments, web.ref('shop'))).rejects.toThrow('NotFound');
        expect((await client.list(replicaSets, { namespace: web.namespace })).items).toEqual([]);
        expect(await web.kubectl('get', 'hpa', 'shop', '-o', AUTOSCALED)).toBe(
          'kubebuilder.zq.com/v1beta1 MyDeployment',
        );
        await web.complete('shop');

        const back = await migrateAndKill(web, 'md/shop');
        expect(back.code).toBe(0);
        expect(back.killedAfter.length).toBeGreaterThanOrEqual(1);
        expect(await uids(web)).toEqual(before);
        await web.gone('shop');
        await web.kubectl('rollout', 'status', 'deployment/shop', '--timeout=60s');
        expect(await web.kubectl('get', 'hpa', 'shop', '-o', AUTOSCALED)).toBe('apps/v1 Deployment');
        expect(await watch.close()).toEqual([]);
      }),
    );

    it.concurrent(
      'given right after the way back, it waits for the revisions of the MyDeployment that is gone to go, too',
      scene(async (web) => {
        await deploy(web, 3);
        const { stdout: plan } = await run(web.namespace, 'migrate', 'deployment/shop', '--dry-run');
        const names = [...plan.matchAll(/ControllerRevision "([^"]+)"/g)].map(([, name]) => name as string);
        expect(names).toHaveLength(2);
        const gone = { apiVersion: apiVersionOf(myDeployments), kind: 'MyDeployment', name: 'shop', uid: 'gone' };
        for (const name of names) {
          const ownerReferences = [{ ...gone, controller: true }];
          const metadata = { ...web.ref(name), ownerReferences, finalizers: ['test.mydeployment/lingers'] };
          await client.create(controllerRevisions, { metadata, data: {}, revision: 1 });
        }
        const migrating = start(web.namespace, 'migrate', 'deployment/shop', '--timeout=60s');
        await eventually(() => expect(migrating.stdout()).toMatch(/^1\/.*✔$/m));
        for (const name of names) {
          await eventually(async () => {
            const { metadata } = await client.get(controllerRevisions, web.ref(name));
            expect(metadata.deletionTimestamp).toBeDefined();
          }, 60_000);
        }
        for (const name of names) {
          const body = { metadata: { finalizers: null } };
          await client.patch(controllerRevisions, web.ref(name), { type: 'merge', body });
        }
        expect(await migrating.exited).toBe(0);
        await web.complete('shop');
      }),
    );

    it.concurrent(
      'a migrated workload rolls, and goes back to the template from before the migration',
      scene(async (web) => {
        await deploy(web, 3);
        expect(await run(web.namespace, 'migrate', 'deploy/shop')).toMatchObject({ code: 0 });
        await run(web.namespace, 'set', 'image', 'shop', 'shop=shop:v3');
        await run(web.namespace, 'rollout', 'status', 'shop');
        expect(await web.images('shop')).toEqual({ 'shop:v3': 3 });
        await run(web.namespace, 'rollout', 'undo', 'shop', '--to-revision=1');
        await run(web.namespace, 'rollout', 'status', 'shop');
        expect(await web.images('shop')).toEqual({ 'shop:v1': 3 });
      }),
    );

    it.concurrent(
      'refuses what it could not do without harm, and touches nothing',
      scene(async (web) => {
        const refused = async (what: string) => (await run(web.namespace, 'migrate', what)).stderr;
        expect(await refused('deployment/none')).toMatch(
          /^error: there is neither a Deployment nor a MyDeployment "none"/,
        );
        expect(await refused('none')).toBe('error: say which kind: deployment/none or md/none, got "none"\n');
        await web.kubectl('create', 'deployment', 'stuck', '--image=x', '--replicas=1');
        await web.kubectl('create', 'configmap', 'boss');
        const uid = await web.kubectl('get', 'configmap', 'boss', '-o', 'jsonpath={.metadata.uid}');
        const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'boss', uid, controller: true }];
        await client.patch(deployments, web.ref('stuck'), { type: 'merge', body: { metadata: { ownerReferences } } });
        expect(await refused('deployment/stuck')).toMatch(/belongs to ConfigMap "boss", which would make it again/);
      }),
    );
  });
}
