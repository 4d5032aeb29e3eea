// What Helm 4, Flux and Argo CD read from a MyDeployment at every version of it, through the programs that they use: the
// kstatus library and the Lua engine. A Deployment goes through the same rollouts beside it and is read by kstatus, too.

import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../src/kinds/my-deployment/types.gen.ts';
import { deployments } from '../../src/runtime/built-in.ts';
import { isApiError } from '../../src/runtime/errors.ts';
import type { KubeObject, Manifest } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { BEHAVIOUR, READY_AFTER } from '../../src/testing/index.ts';
import { minimalSpec, type Scene, version } from '../e2e/scene.ts';
import { useStage } from '../e2e/stage.ts';
import { eventually } from '../support/eventually.ts';
import { merged } from '../support/merge-patch.ts';
import { describeWithTool } from '../support/tools.ts';
import { ask } from './line-program.ts';

const ARGO_CD = new URL(
  '../../ecosystem/argo-cd/resource_customizations/kubebuilder.zq.com/MyDeployment/',
  import.meta.url,
);
const scriptOf = (path: string): string => readFileSync(new URL(path, ARGO_CD), 'utf8');

interface Reading {
  readonly status: string;
  readonly message: string;
}

const stage = await useStage({ name: 'readers' });

const SLOW = { [READY_AFTER]: '1s' };

/** A workload whose every version is recorded, as people and controllers write it. */
class Recorded {
  readonly versions: KubeObject[] = [];
  readonly #scene: Scene;
  readonly #resource: Resource;
  readonly #stop = new AbortController();

  constructor(scene: Scene, resource: Resource) {
    this.#scene = scene;
    this.#resource = resource;
  }

  async create(): Promise<void> {
    const { client, namespace } = this.#scene;
    const { metadata } = await client.list(this.#resource, { namespace });
    void this.#record(metadata.resourceVersion as string);
    const spec = merged(merged(minimalSpec(), version('v1', SLOW)), { replicas: 3 });
    await client.create(this.#resource, {
      metadata: { namespace, name: 'web' },
      spec,
    } as unknown as Manifest<KubeObject>);
  }

  async change(spec: object): Promise<void> {
    const { client } = this.#scene;
    await client.patch(this.#resource, this.#scene.ref('web'), { type: 'merge', body: { spec } });
  }

  /** Waits until the newest recorded version is that of the server and reads so. */
  async until(status: string, read: (objects: readonly KubeObject[]) => readonly Reading[]): Promise<void> {
    await eventually(async () => {
      const { metadata } = await this.#scene.client.get(this.#resource, this.#scene.ref('web'));
      const newest = this.versions.at(-1) as KubeObject;
      expect(newest.metadata.resourceVersion).toBe(metadata.resourceVersion);
      expect(read([newest])).toMatchObject([{ status }]);
    });
  }

  stop(): void {
    this.#stop.abort();
  }

  async #record(resourceVersion: string): Promise<void> {
    const { client, namespace } = this.#scene;
    try {
      for await (const { type, object } of client.watch(this.#resource, {
        namespace,
        resourceVersion,
        signal: this.#stop.signal,
      })) {
        if (type !== 'BOOKMARK') this.versions.push(object);
      }
    } catch (error) {
      if (!isApiError(error, 'Aborted')) throw error;
    }
  }
}

/** Creates it, scales it, rolls it, and rolls it to a template whose pods never become ready. */
async function play(recorded: Recorded, read: (objects: readonly KubeObject[]) => readonly Reading[]): Promise<void> {
  try {
    await recorded.create();
    await recorded.until('Current', read);
    await recorded.change({ replicas: 4 });
    await recorded.until('Current', read);
    await recorded.change(version('v2', SLOW));
    await recorded.until('Current', read);
    await recorded.change({ ...version('v3', { [BEHAVIOUR]: 'not-ready' }), progressDeadlineSeconds: 2 });
    await recorded.until('Failed', read);
  } finally {
    recorded.stop();
  }
}

/** What is read, without repetitions. */
function course(readings: readonly Reading[]): string[] {
  return readings.map(({ status }) => status).filter((status, index, all) => status !== all[index - 1]);
}

const ROLLOUTS = ['InProgress', 'Current', 'InProgress', 'Current', 'InProgress', 'Current', 'InProgress', 'Failed'];

await describeWithTool('kstatus', 'kstatus, by which Helm 4 and Flux wait', (kstatus) => {
  const read = (objects: readonly KubeObject[]): Reading[] => ask(kstatus, objects);

  it.concurrent.each([
    ['Deployment', deployments as Resource],
    ['MyDeployment', myDeployments as Resource],
  ])('reads every version of a %s as in progress, current or failed', (_, resource) =>
    stage.scene(async (scene) => {
      const recorded = new Recorded(scene, resource);
      await play(recorded, read);
      expect(course(read(recorded.versions))).toEqual(ROLLOUTS);
    })(),
  );
});

await describeWithTool('argo-lua', 'Argo CD', (lua) => {
  const run = <Answer>(path: string, objects: readonly unknown[]): Answer[] =>
    ask(
      lua,
      objects.map((object) => ({ script: scriptOf(path), object })),
    );
  const read = (objects: readonly KubeObject[]): Reading[] => {
    const words: Readonly<Record<string, string>> = {
      Healthy: 'Current',
      Progressing: 'InProgress',
      Degraded: 'Failed',
    };
    return run<Reading>('health.lua', objects).map((each) => ({ ...each, status: words[each.status] ?? each.status }));
  };

  it.concurrent(
    'reads every version of a MyDeployment as kstatus does',
    stage.scene(async (scene) => {
      const recorded = new Recorded(scene, myDeployments);
      await play(recorded, read);
      expect(course(read(recorded.versions))).toEqual(ROLLOUTS);
    }),
  );

  it.concurrent(
    'restarts, pauses, resumes and undoes by its actions',
    stage.scene(async (scene) => {
      const act = async (name: string): Promise<void> => {
        const [changed] = run<MyDeployment>(`actions/${name}/action.lua`, [await scene.get()]);
        const { metadata, spec } = changed as MyDeployment;
        const { annotations = {} } = metadata;
        await scene.patch({ metadata: { annotations }, spec: { paused: spec.paused, template: spec.template } });
      };
      const available = async (): Promise<readonly string[]> => {
        const [actions = {}] = run<Readonly<Record<string, { readonly disabled: boolean }>>>('actions/discovery.lua', [
          await scene.get(),
        ]);
        return Object.keys(actions)
          .filter((name) => !actions[name]?.disabled)
          .sort();
      };
      await scene.create({ replicas: 1 });
      await scene.complete();
      await scene.change(version('v2'));
      await scene.complete();
      expect(await available()).toEqual(['pause', 'restart', 'undo']);
      await act('undo');
      await eventually(async () => expect(await scene.images()).toEqual({ 'web:v1': 1 }));
      await scene.complete();
      await act('pause');
      expect(await available()).toEqual(['resume']);
      expect(run<Reading>('health.lua', [await scene.get()])).toMatchObject([{ status: 'Suspended' }]);
      await act('resume');
      const [before] = await scene.active();
      await act('restart');
      await eventually(async () => {
        const [pod] = await scene.active();
        expect(pod?.metadata.uid).not.toBe(before?.metadata.uid);
      });
      await scene.complete();
    }),
  );
});
