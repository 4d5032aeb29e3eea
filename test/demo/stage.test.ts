import { describe, expect, it } from '@jest/globals';
import { Narrator } from '../../src/demo/narrator.ts';
import { BrokenPromise, Stage } from '../../src/demo/stage.ts';

const same = (text: string): string => text;

function stageWith(patienceMs: number, signal = new AbortController().signal): { stage: Stage; told: () => string } {
  const pieces: string[] = [];
  const palette = { good: same, bad: same, strong: same };
  const narrator = new Narrator({ write: (text) => pieces.push(text), palette });
  const env = { PATH: process.env.PATH ?? '', NAME: 'web' };
  return { stage: new Stage({ narrator, directory: 'test', env, signal, patienceMs }), told: () => pieces.join('') };
}

describe('commands of the demo', () => {
  it('are shown with what they print, and run where and as they should', async () => {
    const { stage, told } = stageWith(0);
    expect(await stage.run('printenv NAME')).toBe('web\n');
    expect(await stage.run('ls demo/stage.test.ts')).toBe('demo/stage.test.ts\n');
    expect(told()).toBe('\n$ printenv NAME\nweb\n\n$ ls demo/stage.test.ts\ndemo/stage.test.ts\n');
  });

  it('end the demo when they fail and should not', async () => {
    const { stage, told } = stageWith(0);
    await expect(stage.run('ls nowhere')).rejects.toThrow(BrokenPromise);
    await expect(stage.run('ls nowhere')).rejects.toThrow('expected exit code 0 of "ls nowhere", got');
    expect(told()).toContain('nowhere'); // what it printed on standard error, too
  });

  it('end the demo when they succeed and should not', async () => {
    const { stage } = stageWith(0);
    await expect(stage.runRefused('true')).rejects.toThrow('expected "true" to be refused, got exit code 0');
    expect(await stage.runRefused('false')).toBe('');
  });

  it('may be read without being shown', async () => {
    const { stage, told } = stageWith(0);
    expect(await stage.read('echo {"a":1}')).toEqual({ a: 1 });
    expect(told()).toBe('');
    await expect(stage.read('ls nowhere')).rejects.toThrow(/^ls nowhere: .*nowhere/);
  });

  it('end with the demo', async () => {
    const stop = new AbortController();
    const running = stageWith(0, stop.signal).stage.run('sleep 60');
    stop.abort();
    await expect(running).rejects.toThrow('aborted');
  });
});

describe('promises of the demo', () => {
  it('are looked at until they hold', async () => {
    const { stage, told } = stageWith(60_000);
    const answers = ['there are 4', 'there are 5', undefined];
    await stage.becomesTrue('there are 6 pods', async () => answers.shift());
    expect(answers).toEqual([]);
    expect(told()).toBe('  ✓ there are 6 pods\n');
  });

  it('end the demo when they do not come true in time, with what was seen last', async () => {
    const { stage, told } = stageWith(0);
    const broken = stage.becomesTrue('there are 6 pods', async () => 'there are 4');
    await expect(broken).rejects.toThrow(new BrokenPromise('expected: there are 6 pods; but there are 4'));
    expect(told()).toBe('');
  });

  it('are not waited for when they have to hold now', async () => {
    const { stage, told } = stageWith(60_000);
    await expect(stage.isTrue('it is so', async () => 'it is not')).rejects.toThrow(
      'expected: it is so; but it is not',
    );
    await stage.isTrue('it is so', async () => undefined);
    expect(told()).toBe('  ✓ it is so\n');
  });
});
