// Events about the object and its pods, newest first.

import type { EventRow } from '../protocol.ts';
import { type Live, rowsOf } from './live.ts';
import { ScrollRegion } from './scroll-region.tsx';
import { Age } from './words.tsx';

export function Events({ live }: { readonly live: Live }) {
  const events = rowsOf<EventRow>(live, 'event/').sort(([, one], [, other]) => other.at - one.at);
  if (events.length === 0) return <p class="nothing">No events are kept about it.</p>;
  return (
    <ScrollRegion class="scroll" label="List of events">
      <table class="events">
        <thead>
          <tr>
            {['When', 'Reason', 'About', 'Message'].map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {events.map(([uid, { at, type, reason, message, about, count }]) => (
            <tr key={uid} class={type === 'Warning' ? 'is-warning' : undefined}>
              <td class="number">
                <Age since={at} />
              </td>
              <td class="reason">
                {type === 'Warning' && <span class="hidden">Warning: </span>}
                {reason}
                {count > 1 && <span class="count">×{count}</span>}
              </td>
              <td class="about">{about}</td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
