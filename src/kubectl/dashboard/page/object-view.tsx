// The page of one object, of any kind.

import type { GoneRow, HeadRow } from '../protocol.ts';
import { type Live, rowOf } from './live.ts';
import { OtherPage } from './other-page.tsx';
import { RolloutPage } from './rollout-page.tsx';
import { hashOf, type Route } from './route.ts';
import { Age, StateWord } from './words.tsx';

interface ObjectViewProps {
  readonly live: Live;
  readonly route: Route & { view: 'object' };
}

export function ObjectView({ live, route }: ObjectViewProps) {
  const { kind, namespace, name } = route;
  const head = rowOf<HeadRow>(live, 'head');
  const gone = rowOf<GoneRow>(live, 'gone');
  return (
    <>
      <header class="top object-top">
        <nav class="way" aria-label="Way back">
          <a href={hashOf(kind)}>{kind}</a>
          <span aria-hidden="true">/</span>
          <span class="namespace">{namespace}</span>
          <span aria-hidden="true">/</span>
        </nav>
        <h1>{name}</h1>
        {head !== undefined && (
          <p class="sentence" role="status">
            <StateWord state={head.state} /> <span class="message">{head.message}</span>
          </p>
        )}
        {head !== undefined && (
          <p class="facts">
            {head.facts.join(' · ')} · <Age since={head.createdAt} /> old
          </p>
        )}
      </header>
      <main>
        {gone !== undefined && <p class="nothing">{gone.because}</p>}
        {gone === undefined && head === undefined && <p class="nothing">Reading the cluster …</p>}
        {head?.kind === 'MyDeployment' && <RolloutPage live={live} head={head} />}
        {head !== undefined && head.kind !== 'MyDeployment' && <OtherPage live={live} head={head} />}
      </main>
    </>
  );
}
