// The page of one object, of any kind.

import type { GoneRow, HeadRow } from '../protocol.ts';
import { type Live, rowOf } from './live.ts';
import { OtherPage } from './other-page.tsx';
import { RolloutPage } from './rollout-page.tsx';
import { hashOf, type Route } from './route.ts';
import { Age, StateWord, Title } from './words.tsx';

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
        <Title>{name}</Title>
        {head !== undefined && (
          <p class="sentence">
            <StateWord state={head.state} /> <span class="message">{head.message}</span>
          </p>
        )}
        {/* Spoken when it changes; the message would be spoken with every pod. */}
        <p class="hidden" role="status">
          {head !== undefined && `${name} is ${head.state}`}
        </p>
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
