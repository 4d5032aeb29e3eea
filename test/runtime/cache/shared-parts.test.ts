import { describe, expect, it } from '@jest/globals';
import { SharedParts } from '../../../src/runtime/cache/shared-parts.ts';

describe('shared parts', () => {
  it('are the first that said the same', () => {
    const { share } = new SharedParts();
    const labels = { app: 'web' };
    expect(share(labels)).toBe(labels);
    expect(share({ app: 'web' })).toBe(labels);
    expect(share({ app: 'api' })).toEqual({ app: 'api' });
    expect(share([labels])).toEqual([{ app: 'web' }]);
  });

  it('do not pile up', () => {
    const { share } = new SharedParts();
    const first = share({ serial: -1 });
    for (let serial = 0; serial < 1024; serial++) share({ serial });
    expect(share({ serial: -1 })).not.toBe(first);
    expect(share({ serial: -1 })).toBe(share({ serial: -1 }));
  });
});
