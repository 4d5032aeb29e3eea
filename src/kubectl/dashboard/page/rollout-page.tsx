// A MyDeployment: its pods by revision between floor and ceiling, why it does not move, its steps, timeline, history and events.

import { useState } from 'preact/hooks';
import type {
  CapacityRow,
  HeadRow,
  HistoryRow,
  PodRow,
  PolicyRow,
  RevisionRow,
  TimelineRow,
  WhyRow,
} from '../protocol.ts';
import { Actions } from './actions.tsx';
import { Capacity } from './capacity.tsx';
import { Cells, Legend } from './cells.tsx';
import { Events } from './events.tsx';
import { History } from './history.tsx';
import { type Live, rowOf, rowsOf } from './live.ts';
import { PodPanel } from './pod-panel.tsx';
import { Steps } from './steps.tsx';
import { Timeline } from './timeline.tsx';
import { Why } from './why.tsx';
import { Images } from './words.tsx';
import { YamlButton } from './yaml-button.tsx';

export function RolloutPage({ live, head }: { readonly live: Live; readonly head: HeadRow }) {
  const [chosen, setChosen] = useState<string>();
  const [done, setDone] = useState('');
  const capacity = rowOf<CapacityRow>(live, 'capacity');
  const policy = rowOf<PolicyRow>(live, 'policy');
  const timeline = rowOf<TimelineRow>(live, 'timeline');
  const why = rowOf<WhyRow>(live, 'why');
  const chosenPod = chosen === undefined ? undefined : rowOf<PodRow>(live, `pod/${chosen}`);
  return (
    <>
      <Actions live={live} head={head} onDone={setDone}>
        <YamlButton head={head} />
      </Actions>
      <p class="done" role="status">
        {done}
      </p>
      {policy !== undefined && <Steps policy={policy} />}
      <section class="panel" aria-labelledby="pods-title">
        <h2 id="pods-title">Pods</h2>
        {capacity !== undefined && <Capacity capacity={capacity} />}
        <Revisions live={live} onChoose={setChosen} />
      </section>
      <div class="columns">
        <section class="panel" aria-labelledby="why-title">
          <h2 id="why-title">Why</h2>
          {why !== undefined && <Why why={why} />}
        </section>
        <section class="panel" aria-labelledby="timeline-title">
          <h2 id="timeline-title">Timeline of this revision</h2>
          <Timeline timeline={timeline ?? undefined} />
        </section>
      </div>
      <section class="panel" aria-labelledby="history-title">
        <h2 id="history-title">History</h2>
        <History live={live} head={head} history={rowOf<HistoryRow>(live, 'history') ?? []} onDone={setDone} />
      </section>
      <section class="panel" aria-labelledby="events-title">
        <h2 id="events-title">Events</h2>
        <Events live={live} />
      </section>
      {chosen !== undefined && (
        <PodPanel namespace={head.namespace} pod={chosenPod} live={live} onClose={() => setChosen(undefined)} />
      )}
    </>
  );
}

function Revisions({ live, onChoose }: { readonly live: Live; readonly onChoose: (uid: string) => void }) {
  const revisions = rowsOf<RevisionRow>(live, 'revision/')
    .map(([, revision]) => revision)
    .sort((one, other) => Number(other.isNew) - Number(one.isNew) || other.number - one.number);
  const pods = Map.groupBy(rowsOf<PodRow>(live, 'pod/'), ([, { row }]) => row);
  const largest = Math.max(0, ...[...pods.values()].map((all) => all.length));
  return (
    <div class="revisions">
      {revisions.map((revision) => (
        <div key={revision.number} class={revision.isNew ? 'revision is-new' : 'revision is-old'}>
          <div class="revision-head">
            <h3>
              {revision.title}
              <span class={`badge badge-${badgeOf(revision)}`}>{badgeOf(revision)}</span>
            </h3>
            <span class="number">
              {revision.ready}/{revision.desired} ready
            </span>
            <Images images={revision.images} />
          </div>
          <Cells
            title={revision.title}
            pods={pods.get(String(revision.number)) ?? []}
            density={densityFor(largest)}
            onChoose={onChoose}
          />
        </div>
      ))}
      <Legend />
    </div>
  );
}

function badgeOf({ isNew, isRejected }: RevisionRow): 'new' | 'old' | 'rejected' {
  return isRejected ? 'rejected' : isNew ? 'new' : 'old';
}

/** The more pods in the longest row, the smaller the cells. */
export function densityFor(count: number): 'wide' | 'close' | 'dense' {
  return count > 240 ? 'dense' : count > 60 ? 'close' : 'wide';
}
