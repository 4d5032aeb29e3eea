// Colours on a terminal, none in a pipe or a file. Every renderer gets a Style and does not ask where its output goes.

export interface Style {
  good(text: string): string;
  bad(text: string): string;
  waiting(text: string): string;
  old(text: string): string;
  faint(text: string): string;
  strong(text: string): string;
}

const same = (text: string): string => text;

/** For pipes and files. */
export const plain: Style = { good: same, bad: same, waiting: same, old: same, faint: same, strong: same };

const code =
  (start: number, end: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001b[${start}m${text}\u001b[${end}m`;

/** For terminals: the sixteen colours that every terminal has, so that the user's theme applies. */
export const coloured: Style = {
  good: code(32, 39),
  bad: code(31, 39),
  waiting: code(33, 39),
  old: code(34, 39),
  faint: code(2, 22),
  strong: code(1, 22),
};

export function styleFor(colour: boolean): Style {
  return colour ? coloured : plain;
}
