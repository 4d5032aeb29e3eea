// One pod: how it is, its events, its log as it is written, and its YAML.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventRow, PodRow } from '../protocol.ts';
import { problemOf, text } from './ask.ts';
import { type Live, rowsOf } from './live.ts';
import { Modal } from './modal.tsx';
import { ScrollRegion } from './scroll-region.tsx';
import { Age } from './words.tsx';

interface PodPanelProps {
  readonly namespace: string;
  /** Undefined once the pod is gone. */
  readonly pod: PodRow | undefined;
  readonly live: Live;
  readonly onClose: () => void;
}

const TABS = ['Log', 'Previous log', 'YAML'] as const;
type Tab = (typeof TABS)[number];

export function PodPanel({ namespace, pod, live, onClose }: PodPanelProps) {
  const [tab, setTab] = useState<Tab>('Log');
  const [chosen, setContainer] = useState<string>();
  const known = useRef(pod);
  if (pod !== undefined) known.current = pod;
  if (known.current === undefined) return null;
  const { name, status, ready, restarts, node, createdAt, health, containers } = known.current;
  const container = chosen ?? containers[0];
  const events = rowsOf<EventRow>(live, 'event/').filter(([, { about }]) => about === `pod/${name}`);
  return (
    <Modal title={`pod/${name}`} shape="drawer" onClose={onClose}>
      <p class="facts">
        <span class={`cell is-${health}`} aria-hidden="true" /> {pod === undefined ? 'gone, was ' : ''}
        {status} · {ready} ready · {restarts} {restarts === 1 ? 'restart' : 'restarts'}
        {node !== '' && ` · on ${node}`} · <Age since={createdAt} /> old
      </p>
      {events.map(([uid, { at, reason, message }]) => (
        <p key={uid} class="evidence">
          <Age since={at} /> {reason}: {message}
        </p>
      ))}
      <Tabs tab={tab} onChange={setTab} />
      {tab !== 'YAML' && containers.length > 1 && (
        <p class="container">
          <label for="container">Container</label>{' '}
          <select id="container" value={container} onChange={({ currentTarget }) => setContainer(currentTarget.value)}>
            {containers.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </p>
      )}
      <Streamed key={`${tab} ${container}`} tab={tab} namespace={namespace} name={name} container={container} />
    </Modal>
  );
}

/** One stop of the Tab key; the arrow keys choose. */
function Tabs({ tab, onChange }: { readonly tab: Tab; readonly onChange: (tab: Tab) => void }) {
  const choose = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length];
    if (!next) return;
    event.preventDefault();
    onChange(next);
    document.getElementById(idOf(next))?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="What to show" onKeyDown={choose}>
      {TABS.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={idOf(each)}
          tabIndex={each === tab ? 0 : -1}
          aria-selected={each === tab}
          aria-controls="pod-text"
          onClick={() => onChange(each)}
        >
          {each}
        </button>
      ))}
    </div>
  );
}

function idOf(tab: Tab): string {
  return `tab-${tab.replaceAll(' ', '-')}`;
}

/** A log may grow for ever; this much of its end is kept. */
const MOST = 200_000;
/** Whoever sees a part of the last line is at the end, in pixels. */
const LINE = 18;
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

interface StreamedProps {
  readonly tab: Tab;
  readonly namespace: string;
  readonly name: string;
  readonly container: string | undefined;
}

function Streamed({ tab, namespace, name, container }: StreamedProps) {
  const [shown, setShown] = useState('');
  const [problem, setProblem] = useState<string>();
  const ref = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const reading = new AbortController();
    const append = (piece: string): void => setShown((before) => (before + piece.replaceAll(COLOURS, '')).slice(-MOST));
    read({ tab, namespace, name, container }, append, reading.signal).catch((error) => {
      if (!reading.signal.aborted) setProblem(problemOf(error));
    });
    return () => reading.abort();
  }, [tab, namespace, name, container]);
  useEffect(() => {
    // The end of the log stays in view until the user scrolls away from it.
    const { current } = ref;
    if (current !== null && tab !== 'YAML' && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [shown, tab]);
  const noteEnd = ({ currentTarget: region }: { readonly currentTarget: HTMLElement }): void => {
    isAtEnd.current = region.scrollHeight - region.scrollTop - region.clientHeight < LINE;
  };
  return (
    <div id="pod-text" role="tabpanel" aria-labelledby={idOf(tab)}>
      {problem !== undefined && <p class="problem">{problem}</p>}
      {problem === undefined && shown === '' && <p class="nothing">Nothing yet.</p>}
      {shown !== '' && (
        <ScrollRegion class="text" label={tab} region={ref} onScroll={noteEnd}>
          <pre>{shown}</pre>
        </ScrollRegion>
      )}
    </div>
  );
}

async function read(
  { tab, container, ...ref }: StreamedProps,
  append: (piece: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const query =
    tab === 'YAML'
      ? { ...ref, kind: 'Pod' }
      : { ...ref, ...(container && { container }), ...(tab === 'Previous log' && { previous: 'true' }) };
  const { body } = await text(tab === 'YAML' ? 'yaml' : 'logs', query, signal);
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return;
    append(decoder.decode(value, { stream: true }));
  }
}
