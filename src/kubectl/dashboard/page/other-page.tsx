// The other kinds: their conditions, and what they consist of.

import { useState } from 'preact/hooks';
import type { ConditionsRow, HeadRow, PartRow, PodRow, TableRow } from '../protocol.ts';
import { Cells } from './cells.tsx';
import { Events } from './events.tsx';
import { type Live, rowOf, rowsOf } from './live.ts';
import { PodPanel } from './pod-panel.tsx';
import { densityFor } from './rollout-page.tsx';
import { ScrollRegion } from './scroll-region.tsx';
import { Age } from './words.tsx';
import { YamlButton } from './yaml-button.tsx';

export function OtherPage({ live, head }: { readonly live: Live; readonly head: HeadRow }) {
  const [chosen, setChosen] = useState<string>();
  const pods = rowsOf<PodRow>(live, 'pod/');
  const parts = rowsOf<PartRow>(live, 'part/').sort(([one], [other]) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  const table = rowOf<TableRow>(live, 'table');
  return (
    <>
      <div class="actions">
        <div class="buttons">
          <YamlButton head={head} />
        </div>
      </div>
      <section class="panel" aria-labelledby="conditions-title">
        <h2 id="conditions-title">Conditions</h2>
        <Conditions conditions={rowOf<ConditionsRow>(live, 'conditions') ?? []} />
      </section>
      {parts.length > 0 && (
        <section class="panel" aria-labelledby="parts-title">
          <h2 id="parts-title">{head.kind === 'MyDaemonSet' ? 'Nodes' : 'Children'}</h2>
          <ul class="parts">
            {parts.map(([key, { title, state, tone, detail }]) => (
              <li key={key} class={`part tone-${tone}`}>
                <b>{title}</b> <span class="part-state">{state}</span> <span class="detail">{detail}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {table !== undefined && <Changes table={table} />}
      {pods.length > 0 && (
        <section class="panel" aria-labelledby="pods-title">
          <h2 id="pods-title">Pods</h2>
          <div class="revision is-new">
            <Cells title={head.name} pods={pods} density={densityFor(pods.length)} onChoose={setChosen} />
          </div>
        </section>
      )}
      <section class="panel" aria-labelledby="events-title">
        <h2 id="events-title">Events</h2>
        <Events live={live} />
      </section>
      {chosen !== undefined && (
        <PodPanel
          namespace={head.namespace}
          pod={rowOf<PodRow>(live, `pod/${chosen}`)}
          live={live}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}

function Conditions({ conditions }: { readonly conditions: ConditionsRow }) {
  if (conditions.length === 0) return <p class="nothing">The operator has not reported on it yet.</p>;
  return (
    <table class="conditions">
      <tbody>
        {conditions.map(({ type, status, reason, message, since }) => (
          <tr key={type}>
            <th scope="row">{type}</th>
            <td>{status}</td>
            <td>{reason}</td>
            <td>{message}</td>
            <td class="number">{since !== undefined && <Age since={since} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Changes({ table: { columns, rows } }: { readonly table: TableRow }) {
  return (
    <section class="panel" aria-labelledby="changes-title">
      <h2 id="changes-title">Changes</h2>
      {rows.length === 0 ? (
        <p class="nothing">No change has been seen yet.</p>
      ) : (
        <ScrollRegion class="scroll" label="Table of changes">
          <table class="changes">
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column}>{column}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.join()}>
                  {row.map((cell, index) => (
                    <td key={columns[index]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </section>
  );
}
