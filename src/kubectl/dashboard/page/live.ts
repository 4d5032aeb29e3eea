// The rows of the view that is shown, kept up to date by the server's stream. A hidden tab closes its stream: it costs nothing then,
// and browsers allow only six connections to one address. Seen again, it gets every row anew. Frames that arrive
// between two pictures of the screen are drawn together.

import { useEffect, useState } from 'preact/hooks';
import type { Frame } from '../protocol.ts';

export type Rows = ReadonlyMap<string, unknown>;

export interface Live {
  readonly rows: Rows;
  /** `lost`: the program that serves this page does not answer. */
  readonly is: 'opening' | 'open' | 'lost';
}

const NOTHING: Live = { rows: new Map(), is: 'opening' };

/** The rows of the view with this query. */
export function useLive(query: string): Live {
  const [live, setLive] = useState<{ readonly query: string; readonly live: Live }>({ query, live: NOTHING });
  useEffect(() => follow(query, (next) => setLive({ query, live: next })), [query]);
  return live.query === query ? live.live : NOTHING;
}

/** A row by its key. */
export function rowOf<Row>({ rows }: Pick<Live, 'rows'>, key: string): Row | undefined {
  return rows.get(key) as Row | undefined;
}

/** The rows whose keys begin like this, with what follows in the key. */
export function rowsOf<Row>({ rows }: Pick<Live, 'rows'>, prefix: string): (readonly [string, Row])[] {
  const found: (readonly [string, Row])[] = [];
  for (const [key, row] of rows) if (key.startsWith(prefix)) found.push([key.slice(prefix.length), row as Row]);
  return found;
}

/** Follows the stream until the returned function is called. */
function follow(query: string, show: (live: Live) => void): () => void {
  let rows = new Map<string, unknown>();
  let is: Live['is'] = 'opening';
  let source: EventSource | undefined;
  let picture = 0;
  const draw = (): void => {
    picture ||= requestAnimationFrame(() => {
      picture = 0;
      show({ rows: new Map(rows), is });
    });
  };
  const open = (): void => {
    source = new EventSource(`stream?${query}`);
    source.onmessage = ({ data }) => {
      const { reset, set = {}, drop = [] } = JSON.parse(data) as Frame;
      if (reset) rows = new Map();
      for (const key of drop) rows.delete(key);
      for (const [key, row] of Object.entries(set)) rows.set(key, row);
      is = 'open';
      draw();
    };
    source.onerror = () => {
      is = 'lost';
      draw();
    };
  };
  const onVisibility = (): void => {
    source?.close();
    if (document.visibilityState === 'visible') open();
  };
  onVisibility();
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    cancelAnimationFrame(picture);
    source?.close();
  };
}
