// Whose pod it is, on a real cluster: a pod that the operator did not make lives beside a MyDeployment that selects it; a
// pod that admission changes on its way in is made once and told of, never over and over; and an adoption or a release
// that a policy refuses is told of while everything else goes on. Our webhooks are switched off here, so that what the API
// server alone lets in gets as far as the operator.

import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { controllerOf, type KubeObject } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { eventually } from '../support/eventually.ts';
import { conditionOf, isActive, only, pods, type Scene, version } from './scene.ts';
import { useStage } from './stage.ts';

const { scene } = await useStage({ name: 'ownership', operator: { webhooks: false } });

const ownerOf = async (web: Scene, name: string) => controllerOf(await web.client.get(pods, web.ref(name)));

describe('a pod that the operator did not make', () => {
  it.concurrent(
    'kubectl run: lives untouched, ownerless and uncounted, while the MyDeployment scales and rolls',
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await web.complete();
      await web.kubectl('run', 'probe', '--image=busybox', '--labels', 'app=web');
      const { metadata } = await web.client.get(pods, web.ref('probe'));
      await web.change({ replicas: 3 });
      await web.complete();
      await web.change(version('v2'));
      await web.complete();
      await web.change({ replicas: 1 });
      await web.complete();
      const probe = await web.client.get(pods, web.ref('probe'));
      expect(probe.metadata).toMatchObject({ uid: metadata.uid, labels: { app: 'web' } });
      expect(probe.metadata.ownerReferences).toBeUndefined();
      expect(probe.metadata.deletionTimestamp).toBeUndefined();
      await web.delete('web', 'Foreground');
      await web.gone();
      expect((await web.allPods()).map((pod) => pod.metadata.name)).toEqual(['probe']);
    }),
  );
});
