// Pods as cells: colour, shape and word say how each one is. A row of cells is one stop of the Tab key; arrow keys move in it, Enter
// opens the pod, and the line below says which one it is. A cell is drawn again only when its own pod changed, so a thousand of them
// stay quick.

import { Component } from 'preact';
import { useState } from 'preact/hooks';
import type { Health, PodRow } from '../protocol.ts';

type Entry = readonly [uid: string, pod: PodRow];

interface CellsProps {
  readonly title: string;
  readonly pods: readonly Entry[];
  readonly density: 'wide' | 'close' | 'dense';
  readonly onChoose: (uid: string) => void;
}

const WORDS: Readonly<Record<Health, string>> = {
  ready: 'ready',
  starting: 'starting',
  changing: 'changing in place',
  failing: 'failing',
  terminating: 'terminating',
};

export function Cells({ title, pods, density, onChoose }: CellsProps) {
  const [pointed, setPointed] = useState<string>();
  const sorted = pods.toSorted(byAge);
  const [firstUid] = sorted[0] ?? [];
  const stop = sorted.some(([uid]) => uid === pointed) ? pointed : firstUid;
  const shown = sorted.find(([uid]) => uid === pointed)?.[1];
  const point = ({ target }: Event): void => setPointed(uidOf(target));
  const move = (event: KeyboardEvent): void => {
    const next = neighbour(event.target, event.key);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  if (sorted.length === 0) return <p class="nothing">No pods.</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form */}
      <div
        class={`cells is-${density}`}
        role="group"
        aria-label={`Pods of ${title}: ${summary(sorted)}`}
        onPointerOver={point}
        onPointerLeave={() => setPointed(undefined)}
        onFocusIn={point}
        onKeyDown={move}
        onClick={({ target }) => {
          const uid = uidOf(target);
          if (uid !== undefined) onChoose(uid);
        }}
      >
        {sorted.map(([uid, pod]) => (
          <Cell key={uid} uid={uid} pod={pod} isStop={uid === stop} />
        ))}
      </div>
      <p class="pointed" aria-hidden="true">
        {shown === undefined ? summary(sorted) : describe(shown)}
      </p>
    </>
  );
}

interface CellProps {
  readonly uid: string;
  readonly pod: PodRow;
  readonly isStop: boolean;
}

class Cell extends Component<CellProps> {
  /** A row that did not change is the same object. */
  override shouldComponentUpdate({ pod, isStop }: CellProps): boolean {
    return pod !== this.props.pod || isStop !== this.props.isStop;
  }

  override render({ uid, pod, isStop }: CellProps) {
    const label = `${pod.name}: ${WORDS[pod.health]}, ${pod.status}`;
    return (
      <button
        type="button"
        class={`cell is-${pod.health}`}
        data-uid={uid}
        aria-label={label}
        tabIndex={isStop ? 0 : -1}
      />
    );
  }
}

/** What the shapes and colours mean. */
export function Legend() {
  const entries: readonly (readonly [string, string])[] = [
    ['is-ready', 'ready, new'],
    ['is-ready is-old-example', 'ready, old'],
    ['is-starting', 'starting'],
    ['is-changing', 'changing in place'],
    ['is-failing', 'failing'],
    ['is-terminating', 'terminating'],
  ];
  return (
    <ul class="legend" aria-label="Legend">
      {entries.map(([cell, words]) => (
        <li key={cell}>
          <span class={`cell ${cell}`} /> {words}
        </li>
      ))}
    </ul>
  );
}

function describe({ name, status, ready, restarts, node }: PodRow): string {
  const again = restarts === 0 ? '' : `, ${restarts} restarts`;
  return `${name}  ${status}, ${ready} ready${again}${node === '' ? '' : `, on ${node}`}`;
}

function summary(pods: readonly Entry[]): string {
  const counts = (Object.keys(WORDS) as Health[]).map((health) => {
    const count = pods.filter(([, pod]) => pod.health === health).length;
    return count === 0 ? '' : `${count} ${WORDS[health]}`;
  });
  return counts.filter(Boolean).join(', ');
}

/** Oldest first, so that cells stay where they are while others come. */
function byAge([oneUid, one]: Entry, [otherUid, other]: Entry): number {
  return one.createdAt - other.createdAt || (oneUid < otherUid ? -1 : 1);
}

function uidOf(target: EventTarget | null): string | undefined {
  return target instanceof HTMLElement ? target.dataset.uid : undefined;
}

/** The cell to which an arrow key leads; up and down by what is drawn there. */
function neighbour(target: EventTarget | null, key: string): HTMLElement | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  const { nextElementSibling, previousElementSibling, parentElement } = target;
  const steps: Readonly<Record<string, Element | null | undefined>> = {
    ArrowRight: nextElementSibling,
    ArrowLeft: previousElementSibling,
    Home: parentElement?.firstElementChild,
    End: parentElement?.lastElementChild,
    ArrowDown: below(target, 1),
    ArrowUp: below(target, -1),
  };
  const found = steps[key];
  return found instanceof HTMLElement ? found : undefined;
}

function below(cell: HTMLElement, direction: 1 | -1): Element | undefined {
  const { left, top, width, height } = cell.getBoundingClientRect();
  const gap = 4;
  const found = document.elementFromPoint(left + width / 2, top + height / 2 + direction * (height + gap));
  return found?.parentElement === cell.parentElement ? found : undefined;
}
