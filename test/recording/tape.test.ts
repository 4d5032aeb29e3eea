import { describe, expect, it } from '@jest/globals';
import xterm from '@xterm/headless';
import { edit, type Frame, type Row, screenRows } from './tape.ts';

async function rowsAfter(bytes: string): Promise<Row[]> {
  const emulator = new xterm.Terminal({ cols: 12, rows: 3, allowProposedApi: true });
  await new Promise<void>((shown) => emulator.write(bytes, shown));
  return screenRows(emulator);
}

const frame = (atMs: number, text: string): Frame => ({ atMs, rows: [[{ column: 0, text }]] });

describe('what a terminal shows', () => {
  it('is read as runs of one style, at their columns', async () => {
    expect(await rowsAfter('ab \u001b[32mok\u001b[39m \u001b[1mB\u001b[22m\u001b[2mf\u001b[22m')).toEqual([
      [
        { column: 0, text: 'ab' },
        { column: 3, text: 'ok', colour: 2 },
        { column: 6, text: 'B', bold: true },
        { column: 7, text: 'f', faint: true },
      ],
      [],
      [],
    ]);
  });

  it('is what is left when a program has drawn over it', async () => {
    expect(await rowsAfter('first\r\u001b[Ksecond')).toEqual([[{ column: 0, text: 'second' }], [], []]);
  });
});

describe('editing', () => {
  const pace = { shortestMs: 100, longestMs: 1_000 };

  it.each([
    { name: 'drops a frame like the one before', frames: [frame(0, 'a'), frame(200, 'a')], kept: [frame(0, 'a')] },
    {
      name: 'shows only the last of frames that are too quick',
      frames: [frame(0, 'a'), frame(50, 'b'), frame(90, 'c'), frame(200, 'd')],
      kept: [frame(0, 'c'), frame(200, 'd')],
    },
    {
      name: 'shortens pauses, and everything after them comes sooner',
      frames: [frame(0, 'a'), frame(5_000, 'b'), frame(5_300, 'c')],
      kept: [frame(0, 'a'), frame(1_000, 'b'), frame(1_300, 'c')],
    },
    { name: 'begins at once', frames: [frame(700, 'a'), frame(900, 'b')], kept: [frame(0, 'a'), frame(200, 'b')] },
  ])('$name', ({ frames, kept }) => {
    expect(edit(frames, pace)).toEqual(kept);
  });
});
