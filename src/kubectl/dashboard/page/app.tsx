// The frame of every view: where one is, whether what one sees is current, and the keys that work everywhere.

import { useEffect } from 'preact/hooks';
import type { LinkRow } from '../protocol.ts';
import { type Live, rowOf, useLive } from './live.ts';
import { ObjectView } from './object-view.tsx';
import { Overview } from './overview.tsx';
import { hashOf, type Route, useRoute } from './route.ts';
import { Age } from './words.tsx';

export function App() {
  const route = useRoute();
  const live = useLive(queryOf(route));
  useEffect(() => {
    document.title = route.view === 'object' ? `${route.name} · kubectl md` : 'kubectl md';
  });
  useKeys(route);
  return (
    <>
      <Banner live={live} />
      {route.view === 'overview' ? (
        <Overview live={live} kind={route.kind} />
      ) : (
        <ObjectView live={live} route={route} />
      )}
    </>
  );
}

function queryOf(route: Route): string {
  if (route.view === 'overview') return 'view=overview';
  const { kind, namespace, name } = route;
  return new URLSearchParams({ view: 'object', kind, namespace, name }).toString();
}

/** Says when the page is old; nothing while it is current. */
function Banner({ live }: { readonly live: Live }) {
  const link = rowOf<LinkRow>(live, 'link');
  const isLost = live.is === 'lost';
  const isAway = link?.is === 'away';
  return (
    <div class={isLost || isAway ? 'banner is-shown' : 'banner'} role="status">
      {isLost && (
        <p>
          <strong>This page is old.</strong> kubectl md dashboard does not answer. It ends with its terminal: start it
          again and open the new address.
        </p>
      )}
      {!isLost && isAway && (
        <p>
          <strong>The cluster is away</strong>
          {link.since !== undefined && (
            <>
              {' '}
              for <Age since={link.since} />
            </>
          )}
          . What you see is from before. {link.because}
        </p>
      )}
    </div>
  );
}

/** `/` searches, Escape goes back to the overview. */
function useKeys(route: Route): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, select, textarea');
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
      if (event.key === 'Escape' && route.view === 'object') location.hash = hashOf(route.kind);
      if (event.key !== '/' || isTyping) return;
      event.preventDefault();
      document.querySelector<HTMLInputElement>('#search')?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [route]);
}
