// Redraws the terminal without flicker: only lines that changed are written, in one write that the terminal shows at once.
// While it is open it uses the alternate screen of the terminal; closing it restores the normal screen.

import type { Console, Size } from './console.ts';

const ESC = '\u001b[';
/** The alternate screen, no cursor, no wrapping of long lines. */
const ENTER = `${ESC}?1049h${ESC}?25l${ESC}?7l`;
const LEAVE = `${ESC}?7h${ESC}?25h${ESC}?1049l`;
/** Terminals that know this show nothing until the end; the others ignore it. */
const BEGIN = `${ESC}?2026h`;
const END = `${ESC}?2026l`;

/** The codes that turn the lines shown into the lines wanted. */
export function repaint(shown: readonly string[], wanted: readonly string[]): string {
  const changed = wanted.flatMap((line, row) => (line === shown[row] ? [] : [`${ESC}${row + 1};1H${line}${ESC}K`]));
  const fewer = wanted.length < shown.length ? [`${ESC}${wanted.length + 1};1H${ESC}J`] : [];
  const codes = [...changed, ...fewer].join('');
  return codes === '' ? '' : `${BEGIN}${codes}${END}`;
}

export class Screen {
  readonly #console: Console;
  #shown: readonly string[] = [];
  #size: Size;

  /** Switches to the alternate screen until `close`. */
  constructor(console: Console) {
    this.#console = console;
    this.#size = console.size();
    console.out.write(`${ENTER}${ESC}H${ESC}J`);
  }

  /** Shows these lines, as many as fit. */
  draw(lines: readonly string[]): void {
    const size = this.#console.size();
    // A terminal moves lines when it is resized, so what they show is unknown afterwards.
    if (size.rows !== this.#size.rows || size.columns !== this.#size.columns) {
      this.#shown = Array.from({ length: size.rows }, () => '\u0000');
      this.#size = size;
    }
    const wanted = lines.slice(0, size.rows);
    const codes = repaint(this.#shown, wanted);
    if (codes !== '') this.#console.out.write(codes);
    this.#shown = wanted;
  }

  /** Restores the normal screen. */
  close(): void {
    this.#console.out.write(LEAVE);
  }
}
