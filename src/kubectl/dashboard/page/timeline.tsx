// How the present revision grew, as a plot of its pods: created, and ready.

import { formatDuration } from '../../duration.ts';
import type { TimelineRow } from '../protocol.ts';
import { useNow } from './words.tsx';

const WIDTH = 600;
const HEIGHT = 120;

export function Timeline({ timeline }: { readonly timeline: TimelineRow | undefined }) {
  const now = useNow();
  if (timeline === undefined) return <p class="nothing">This revision has no pods.</p>;
  const { startedAt, endedAt, wanted, points } = timeline;
  const until = Math.max(endedAt ?? now, startedAt + 1_000);
  const last = points.at(-1);
  const [created, ready] = [last?.[1] ?? 0, last?.[2] ?? 0];
  const top = Math.max(wanted, created, 1);
  const x = (at: number): number => ((Math.min(at, until) - startedAt) / (until - startedAt)) * WIDTH;
  const y = (count: number): number => HEIGHT - (count / top) * (HEIGHT - 8);
  const line = (column: 1 | 2): string =>
    `M0 ${y(0)} ${points.map((point) => `H${x(point[0])} V${y(point[column])}`).join(' ')} H${WIDTH}`;
  const took = formatDuration(until - startedAt);
  const words = `${ready} of ${wanted} ready, ${created} created, ${endedAt === undefined ? `for ${took}` : `in ${took}`}`;
  return (
    <figure class="timeline">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words}>
        <path class="goal" d={`M0 ${y(wanted)} H${WIDTH}`} />
        <path class="created" d={line(1)} />
        <path class="ready-area" d={`${line(2)} V${HEIGHT} H0 Z`} />
        <path class="ready" d={line(2)} />
      </svg>
      <ul class="legend" aria-hidden="true">
        {['wanted', 'created', 'ready'].map((line) => (
          <li key={line}>
            <span class={`line is-${line}`} /> {line}
          </li>
        ))}
      </ul>
      <figcaption>
        <span>{new Date(startedAt).toLocaleTimeString()}</span>
        <span>{words}</span>
        <span>{endedAt === undefined ? 'now' : new Date(endedAt).toLocaleTimeString()}</span>
      </figcaption>
    </figure>
  );
}
