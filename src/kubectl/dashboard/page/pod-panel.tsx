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
  const known = useRef(pod);
  if (pod !== undefined) known.current = pod;
  if (known.current === undefined) return null;
  const { name, status, ready, restarts, node, createdAt, health } = known.current;
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
      <div class="tabs" role="tablist" aria-label="What to show">
        {TABS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`tab-${each}`}
            aria-selected={each === tab}
            aria-controls="pod-text"
            onClick={() => setTab(each)}
          >
            {each}
          </button>
        ))}
      </div>
      <Streamed key={tab} tab={tab} namespace={namespace} name={name} />
    </Modal>
  );
}

/** A log may grow for ever; this much of its end is kept. */
const MOST = 200_000;
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

interface StreamedProps {
  readonly tab: Tab;
  readonly namespace: string;
  readonly name: string;
}

function Streamed({ tab, namespace, name }: StreamedProps) {
  const [shown, setShown] = useState('');
  const [problem, setProblem] = useState<string>();
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const reading = new AbortController();
    const append = (piece: string): void => setShown((before) => (before + piece.replaceAll(COLOURS, '')).slice(-MOST));
    read(tab, { namespace, name }, append, reading.signal).catch((error) => {
      if (!reading.signal.aborted) setProblem(problemOf(error));
    });
    return () => reading.abort();
  }, [tab, namespace, name]);
  useEffect(() => {
    // A log is read from its end, as long as nobody has scrolled away from it.
    const { current } = ref;
    if (current !== null && tab !== 'YAML') current.scrollTop = current.scrollHeight;
  }, [shown, tab]);
  return (
    <div id="pod-text" role="tabpanel" aria-labelledby={`tab-${tab}`}>
      {problem !== undefined && <p class="problem">{problem}</p>}
      {problem === undefined && shown === '' && <p class="nothing">Nothing yet.</p>}
      <ScrollRegion class="text" label={tab} region={ref}>
        <pre>{shown}</pre>
      </ScrollRegion>
    </div>
  );
}

async function read(
  tab: Tab,
  ref: { readonly namespace: string; readonly name: string },
  append: (piece: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const query = { ...ref, ...(tab === 'YAML' && { kind: 'Pod' }), ...(tab === 'Previous log' && { previous: 'true' }) };
  const { body } = await text(tab === 'YAML' ? 'yaml' : 'logs', query, signal);
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return;
    append(decoder.decode(value, { stream: true }));
  }
}
