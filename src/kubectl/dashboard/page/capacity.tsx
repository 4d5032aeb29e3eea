// The counts of a rollout between its bounds: how many pods there are, of at most the ceiling, and how many are available, of at
// least the floor. Both bars have the same scale.

import type { CapacityRow } from '../protocol.ts';

export function Capacity({ capacity }: { readonly capacity: CapacityRow }) {
  const { wanted, updated, available, old, floor, ceiling, shares } = capacity;
  const total = updated + old;
  const scale = Math.max(ceiling, total, available, 1);
  const at = (count: number): string => `${(count / scale) * 100}%`;
  const isLow = available < floor;
  return (
    <dl class="capacity">
      <dt>
        {total} {total === 1 ? 'pod' : 'pods'}
      </dt>
      <dd>
        <span class="track">
          {(['ready', 'starting', 'failing', 'old'] as const).map(
            (part) =>
              shares[part] > 0 && <span key={part} class={`share share-${part}`} style={{ width: at(shares[part]) }} />,
          )}
          <span class="bound" style={{ left: at(ceiling) }} />
        </span>
        <span class="words">
          {updated} new, {old} old, <b>at most {ceiling}</b>
        </span>
      </dd>
      <dt>{available} available</dt>
      <dd>
        <span class="track thin">
          <span class={isLow ? 'share share-low' : 'share share-available'} style={{ width: at(available) }} />
          <span class="bound" style={{ left: at(floor) }} />
        </span>
        <span class={isLow ? 'words tone-bad' : 'words'}>
          of {wanted} wanted, <b>at least {floor}</b>
        </span>
      </dd>
    </dl>
  );
}
