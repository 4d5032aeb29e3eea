import { describe, expect, it } from '@jest/globals';
import { type ConfigMap, configMaps } from '../../../src/runtime/built-in.ts';
import type { Change, ChangeHandler, Informer } from '../../../src/runtime/cache/informer.ts';
import { LazyInformer } from '../../../src/runtime/cache/lazy-informer.ts';

const object: ConfigMap = { metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1' } };
const change: Change<ConfigMap> = { type: 'added', object, initial: false };

function scene() {
  const handlers = new Set<ChangeHandler<ConfigMap>>();
  const caughtUp = Promise.withResolvers<void>();
  let opened = 0;
  const informer = {
    get: (key: string) => (key === 'n/a' ? object : undefined),
    byIndex: () => [object],
    onChange: (handler: ChangeHandler<ConfigMap>) => {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    catchUp: () => caughtUp.promise,
  } as unknown as Informer<ConfigMap>;
  const tell = (): void => {
    for (const handler of handlers) handler(change);
  };
  const asked = Promise.withResolvers<void>();
  const lazy = new LazyInformer({
    resource: configMaps,
    informer: () => {
      opened += 1;
      return informer;
    },
    askers: { catchUp: () => asked.promise },
  });
  return { lazy, asked, caughtUp, opened: () => opened, tell };
}

describe('an informer that is opened when something asks for it', () => {
  it('watches nothing and shows nothing until then, and is opened once', () => {
    const { lazy, opened } = scene();
    expect([opened(), lazy.get('n/a'), lazy.byIndex('namespace', 'n')]).toEqual([0, undefined, []]);
    lazy.open();
    lazy.open();
    expect([opened(), lazy.get('n/a'), lazy.byIndex('namespace', 'n')]).toEqual([1, object, [object]]);
  });

  it('tells handlers that came before and after', () => {
    const { lazy, tell } = scene();
    const heard: string[] = [];
    const endEarly = lazy.onChange(() => heard.push('early'));
    lazy.open();
    const endLate = lazy.onChange(() => heard.push('late'));
    tell();
    endEarly();
    endLate();
    tell();
    expect(heard).toEqual(['early', 'late']);
  });

  it('tells a handler nothing that was ended before it was opened', () => {
    const { lazy, tell } = scene();
    const heard: string[] = [];
    lazy.onChange(() => heard.push('early'))();
    lazy.open();
    tell();
    expect(heard).toEqual([]);
  });

  it('has caught up when nothing asks for it, or when it has', async () => {
    const idle = scene();
    idle.asked.resolve();
    await idle.lazy.catchUp();
    const busy = scene();
    let isFresh = false;
    const fresh = busy.lazy.catchUp().then(() => {
      isFresh = true;
    });
    busy.lazy.open();
    busy.asked.resolve();
    await new Promise(setImmediate);
    expect(isFresh).toBe(false);
    busy.caughtUp.resolve();
    await fresh;
  });
});
