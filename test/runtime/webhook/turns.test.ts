import { describe, expect, it } from '@jest/globals';
import { Turns } from '../../../src/runtime/webhook/turns.ts';
import { settle } from '../../support/fake-clock.ts';

describe('turns', () => {
  const never = new AbortController().signal;

  /** Asks for a turn under a name, and notes when it begins. */
  function asker(turns: Turns) {
    const begun: string[] = [];
    const ask = async (name: string, signal = never): Promise<() => void> => {
      const end = await turns.take(signal);
      begun.push(name);
      return end;
    };
    return { begun, ask };
  }

  it('are given to so many at once, then to the others in their order', async () => {
    const { begun, ask } = asker(new Turns(2));
    const [endA] = await Promise.all([ask('a'), ask('b')]);
    const waiting = [ask('c'), ask('d')];
    await settle();
    expect(begun).toEqual(['a', 'b']);
    endA();
    const endC = await waiting[0];
    expect(begun).toEqual(['a', 'b', 'c']);
    endC?.();
    await waiting[1];
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are not waited for any longer than the signal says', async () => {
    const { begun, ask } = asker(new Turns(1));
    const end = await ask('a');
    const impatient = new AbortController();
    const left = ask('b', impatient.signal);
    const stayed = ask('c');
    impatient.abort(new Error('hung up'));
    await expect(left).rejects.toThrow('hung up');
    end();
    await stayed;
    expect(begun).toEqual(['a', 'c']);
    await expect(ask('d', AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  });

  it('are free again when all have ended, and no more of them than before', async () => {
    const { begun, ask } = asker(new Turns(1));
    (await ask('a'))();
    (await ask('b'))();
    await ask('c');
    void ask('d');
    await settle();
    expect(begun).toEqual(['a', 'b', 'c']);
  });
});
