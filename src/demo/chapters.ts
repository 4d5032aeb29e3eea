// The chapters of the demo, in order: each types commands at the same object and checks what came of them.

import type { Stage } from './stage.ts';
import { watchWhile } from './watcher.ts';
import { differsFrom, podsOf } from './web.ts';

export interface Chapter {
  readonly title: string;
  readonly story: string;
  play(stage: Stage): Promise<void>;
}

const STATUS = 'kubectl md rollout status web --timeout=60s';

export const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Create',
    story: "A Deployment's manifest with two lines changed: apiVersion and kind.",
    async play(stage) {
      await stage.run('cat web.yaml');
      await stage.run('kubectl apply -f web.yaml');
      await stage.becomesTrue('3 pods of nginx:1.27 are ready', () => differsFrom(stage, 3, 'nginx:1.27'));
      await stage.run('kubectl get md,pods,controllerrevisions,replicasets');
      await stage.isTrue('there is no ReplicaSet in between', () => countOf(stage, 'replicasets', 0));
    },
  },
  {
    title: 'Scale',
    story:
      'kubectl scale works, and so do HorizontalPodAutoscaler and PodDisruptionBudget: all use the scale subresource.',
    async play(stage) {
      await stage.run('kubectl scale md web --replicas=6');
      await stage.run(STATUS);
      await stage.becomesTrue('6 pods are ready', () => differsFrom(stage, 6, 'nginx:1.27'));
      await stage.run('kubectl get md');
    },
  },
  {
    title: 'Roll',
    story:
      'Of 6 pods, 25 % may be missing (1, rounded down) and 25 % too many (2, rounded up). The demo counts them meanwhile.',
    async play(stage) {
      const seen = await watchWhile(stage, 'web', async () => {
        await stage.run('kubectl md set image web nginx=nginx:1.28');
        await stage.run(STATUS);
      });
      await stage.becomesTrue('6 pods of nginx:1.28 are ready, the old ones are gone', () =>
        differsFrom(stage, 6, 'nginx:1.28'),
      );
      const { looks, fewestReady, mostPods } = seen;
      await stage.isTrue(`in ${looks} looks at the pods: never fewer than 5 ready, never more than 8`, async () =>
        fewestReady >= 5 && mostPods <= 8 ? undefined : `there were ${fewestReady} ready and ${mostPods} in all`,
      );
      await stage.run('kubectl md get web');
    },
  },
  {
    title: 'Pause',
    story: 'While a MyDeployment is paused nothing rolls out. Scaling goes on, with the template that is out.',
    async play(stage) {
      await stage.run('kubectl md rollout pause web');
      await stage.run('kubectl md set image web nginx=nginx:1.29');
      await stage.run('kubectl scale md web --replicas=4');
      await stage.becomesTrue('4 pods are ready, still of nginx:1.28', () => differsFrom(stage, 4, 'nginx:1.28'));
      await stage.run('kubectl md why web');
      await stage.run('kubectl md rollout resume web');
      await stage.run(STATUS);
      await stage.becomesTrue('now 4 pods of nginx:1.29 are ready', () => differsFrom(stage, 4, 'nginx:1.29'));
    },
  },
  {
    title: 'Undo',
    story: 'A release whose image cannot be pulled. The rollout stops by itself; undo takes it back.',
    async play(stage) {
      await stage.run('cat broken.yaml');
      await stage.run('kubectl patch md web --type=merge --patch-file=broken.yaml');
      await stage.becomesTrue('the new pods are stuck, and 3 old ones still serve', () => stuck(stage));
      await stage.run('kubectl md why web');
      await stage.run('kubectl md rollout undo web');
      await stage.run(STATUS);
      await stage.becomesTrue('4 pods of nginx:1.29 are ready again', () => differsFrom(stage, 4, 'nginx:1.29'));
      await stage.run('kubectl md rollout history web');
    },
  },
  {
    title: 'Go back by itself',
    story:
      'A RolloutPolicy beside the MyDeployment: one new pod first, then the rollout waits for a person. The broken release comes again.',
    async play(stage) {
      await stage.run('cat policy.yaml');
      await stage.run('kubectl apply -f policy.yaml');
      await stage.run('kubectl patch md web --type=merge --patch-file=broken.yaml');
      await stage.becomesTrue('the revision was rejected, and 4 pods of nginx:1.29 serve', () => wentBack(stage));
      await stage.run('kubectl md why web');
      await stage.run('kubectl patch md web --type=merge --patch-file=mended.yaml');
      await stage.becomesTrue('one pod of nginx:1.30 serves beside 3 of nginx:1.29', () => isCanary(stage));
      await stage.run('kubectl md get web');
      await stage.run('kubectl md rollout promote web');
      await stage.run(STATUS);
      await stage.becomesTrue('4 pods of nginx:1.30 are ready', () => differsFrom(stage, 4, 'nginx:1.30'));
    },
  },
  {
    title: 'Heal',
    story: 'A user deletes every pod.',
    async play(stage) {
      const before = new Set((await podsOf(stage, 'web')).map(({ uid }) => uid));
      await stage.run('kubectl delete pods -l app=web --wait=false');
      await stage.becomesTrue('4 other pods are ready', async () => {
        const pods = await podsOf(stage, 'web');
        const others = pods.filter(({ uid, ready }) => ready && !before.has(uid));
        return others.length === 4 && pods.length === 4 ? undefined : `there are ${others.length} of ${pods.length}`;
      });
      await stage.run('kubectl get pods -l app=web');
    },
  },
  {
    title: 'Refuse',
    story:
      'What a Deployment refuses is refused here, and in the same words: the API server itself judges the pod template.',
    async play(stage) {
      await refused(stage, 'wrong-name.yaml', 'spec.template.spec.containers[0].name: Invalid value: "Web_X"');
      await refused(stage, 'wrong-labels.yaml', 'must equal with .spec.selector.matchlabels');
      await stage.isTrue('nothing of it was stored', () => countOf(stage, 'mydeployments', 1));
    },
  },
  {
    title: 'Migrate',
    story: 'A Deployment that runs becomes a MyDeployment. Its pods do not notice.',
    async play(stage) {
      await stage.run('kubectl apply -f old.yaml');
      await stage.run('kubectl rollout status deployment/old --timeout=60s');
      const before = (await podsOf(stage, 'old')).map(({ uid }) => uid).sort();
      await stage.run('kubectl md migrate deployment/old');
      await stage.becomesTrue('the Deployment and its ReplicaSet are gone', () =>
        countOf(stage, 'deployments,replicasets', 0),
      );
      await stage.becomesTrue('the 4 pods are the same ones', async () => {
        const now = (await podsOf(stage, 'old')).map(({ uid }) => uid).sort();
        return now.join() === before.join() && now.length === 4 ? undefined : `there are ${now.length}, others too`;
      });
      await stage.run('kubectl get md');
    },
  },
];

async function countOf(stage: Stage, kinds: string, wanted: number): Promise<string | undefined> {
  const { items } = await stage.read<{ items: readonly unknown[] }>(`kubectl get ${kinds} -o json`);
  return items.length === wanted ? undefined : `there are ${items.length}`;
}

/** Of 4 pods 1 may be missing, and 1 too many: two new ones get stuck beside three old ones. */
async function stuck(stage: Stage): Promise<string | undefined> {
  const pods = await podsOf(stage, 'web');
  const old = pods.filter(({ image, ready }) => ready && image === 'nginx:1.29').length;
  const broken = pods.filter(({ image, ready }) => !ready && image === 'nginx:no-such-tag').length;
  return old === 3 && broken === 2 ? undefined : `there are ${old} old and ${broken} new ones`;
}

interface Judged {
  readonly status: { readonly conditions: readonly { readonly type: string; readonly reason: string }[] };
}

async function wentBack(stage: Stage): Promise<string | undefined> {
  const { status } = await stage.read<Judged>('kubectl get md web -o json');
  const reason = status.conditions.find(({ type }) => type === 'Stalled')?.reason;
  return reason === 'RevisionRejected' ? differsFrom(stage, 4, 'nginx:1.29') : `Stalled has the reason ${reason}`;
}

async function isCanary(stage: Stage): Promise<string | undefined> {
  const pods = (await podsOf(stage, 'web')).filter(({ ready }) => ready);
  const [stable, canary] = ['nginx:1.29', 'nginx:1.30'].map(
    (image) => pods.filter((pod) => pod.image === image).length,
  );
  return stable === 3 && canary === 1 ? undefined : `there are ${stable} and ${canary}`;
}

async function refused(stage: Stage, file: string, words: string): Promise<void> {
  const text = await stage.runRefused(`kubectl apply -f ${file}`);
  await stage.isTrue(`refused, with the field and the value`, async () =>
    text.includes(words) ? undefined : `"${words}" was not said`,
  );
}
