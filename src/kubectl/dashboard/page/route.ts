// Which view the address names. It stands behind the #, so the server never sees it and the browser's back button works.

import { useEffect, useState } from 'preact/hooks';
import { KINDS, type KindName } from '../protocol.ts';

export type Route =
  | { readonly view: 'overview'; readonly kind: KindName }
  | { readonly view: 'object'; readonly kind: KindName; readonly namespace: string; readonly name: string };

/** `#/MyDeployment/default/web`; `#/ModelBox` is the list of a kind. */
export function routeOf(hash: string): Route {
  const [kindText, namespace, name] = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  const kind = KINDS.find((each) => each === kindText) ?? 'MyDeployment';
  return namespace && name ? { view: 'object', kind, namespace, name } : { view: 'overview', kind };
}

export function hashOf(kind: KindName, namespace?: string, name?: string): string {
  const parts = [kind, namespace, name].filter((part) => part !== undefined);
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => setHash(location.hash);
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return routeOf(hash);
}
