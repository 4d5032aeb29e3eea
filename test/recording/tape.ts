// What a terminal showed, moment by moment: the screen as rows of runs, text of one colour and weight. Read from an emulator,
// so that whatever codes a program writes, a frame is what a person would have seen.

import type xterm from '@xterm/headless';

type Emulator = InstanceType<typeof xterm.Terminal>;

export interface Run {
  readonly column: number;
  readonly text: string;
  /** One of the sixteen, by number; absent for the terminal's own. */
  readonly colour?: number;
  readonly bold?: true;
  readonly faint?: true;
}

export type Row = readonly Run[];

export interface Frame {
  readonly atMs: number;
  readonly rows: readonly Row[];
}

/** The screen as it is now. Blanks at the end of a row are left out. */
export function screenRows(emulator: Emulator): Row[] {
  const { active } = emulator.buffer;
  return Array.from({ length: emulator.rows }, (_, row) => runsOf(emulator, active.viewportY + row));
}

function runsOf(emulator: Emulator, y: number): Row {
  const line = emulator.buffer.active.getLine(y);
  const runs: Run[] = [];
  for (let column = 0; column < emulator.cols; column++) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = {
      ...(cell.isFgPalette() && { colour: cell.getFgColor() }),
      ...(cell.isBold() && { bold: true as const }),
      ...(cell.isDim() && { faint: true as const }),
    };
    const last = runs.at(-1);
    const text = cell.getChars() || ' ';
    if (last !== undefined && sameStyle(last, style)) runs[runs.length - 1] = { ...last, text: last.text + text };
    else runs.push({ column, text, ...style });
  }
  return runs.map((run) => ({ ...run, text: run.text.trimEnd() })).filter(({ text }) => text !== '');
}

function sameStyle(run: Run, style: Omit<Run, 'column' | 'text'>): boolean {
  return run.colour === style.colour && run.bold === style.bold && run.faint === style.faint;
}

export interface Pace {
  /** Frames that follow each other faster become one. */
  readonly shortestMs: number;
  /** A still picture is boring for longer. */
  readonly longestMs: number;
}

/** The frames worth showing: no two alike in a row, none too short, no pause too long. The first is at 0. */
export function edit(frames: readonly Frame[], { shortestMs, longestMs }: Pace): Frame[] {
  const kept: Frame[] = [];
  for (const frame of frames) {
    const last = kept.at(-1);
    if (last !== undefined && JSON.stringify(last.rows) === JSON.stringify(frame.rows)) continue;
    if (last !== undefined && frame.atMs - last.atMs < shortestMs)
      kept[kept.length - 1] = { ...frame, atMs: last.atMs };
    else kept.push(frame);
  }
  let skipped = kept[0]?.atMs ?? 0;
  return kept.map((frame, index) => {
    const pause = frame.atMs - (kept[index - 1]?.atMs ?? frame.atMs);
    skipped += Math.max(0, pause - longestMs);
    return { ...frame, atMs: frame.atMs - skipped };
  });
}
