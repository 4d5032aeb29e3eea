// Small parts that every view has: ages, states, images.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatDuration } from '../../duration.ts';
import type { State, Tone } from '../protocol.ts';

const listeners = new Set<() => void>();
setInterval(() => {
  if (document.visibilityState === 'visible') for (const listener of listeners) listener();
}, 1_000);

/** The time, which moves once a second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const listener = (): void => setNow(Date.now());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return now;
}

/** `5m`, with the moment itself for those who point at it. */
export function Age({ since }: { readonly since: number }) {
  const now = useNow();
  if (since === 0) return null;
  return (
    <time class="age" dateTime={new Date(since).toISOString()} title={new Date(since).toLocaleString()}>
      {formatDuration(now - since)}
    </time>
  );
}

let hasShownView = false;

/** The heading of a view. It takes the focus when a link has led here, so that a screen reader reads on from it. */
export function Title({ children }: { readonly children: ComponentChildren }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasShownView) ref.current?.focus();
    hasShownView = true;
  }, []);
  return (
    <h1 ref={ref} tabIndex={-1}>
      {children}
    </h1>
  );
}

const TONES: Readonly<Record<State, Tone | 'none'>> = {
  Healthy: 'good',
  Progressing: 'waiting',
  Paused: 'waiting',
  Degraded: 'bad',
  Terminating: 'none',
};
const MARKS: Readonly<Record<State, string>> = {
  Healthy: '✔',
  Progressing: '◌',
  Paused: '‖',
  Degraded: '✖',
  Terminating: '↓',
};

/** A state by colour, shape and word. */
export function StateWord({ state }: { readonly state: State }) {
  return (
    <span class={`state tone-${TONES[state]}`}>
      <span class="mark" aria-hidden="true">
        {MARKS[state]}
      </span>
      {state}
    </span>
  );
}

/** Images without registry and path, which are shown when a user points at one. */
export function Images({ images }: { readonly images: readonly string[] }) {
  return images.map((image) => <Image key={image} image={image} />);
}

function Image({ image }: { readonly image: string }) {
  return (
    <span class="image" title={image}>
      {image.slice(image.lastIndexOf('/', image.indexOf('@') < 0 ? undefined : image.indexOf('@')) + 1)}
    </span>
  );
}
