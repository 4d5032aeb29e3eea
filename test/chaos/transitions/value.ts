// What a field is tried with: a value, what is special about it, and whether the schema calls it good or bad.

import type { Json } from '../../support/merge-patch.ts';

/** Good and bad by the schema alone; `open` where only the API server can tell. */
export type Intent = 'good' | 'bad' | 'open';

export interface Value {
  readonly what: string;
  readonly intent: Intent;
  readonly value: Json;
}

export const good = (what: string, value: Json): Value => ({ what, intent: 'good', value });
export const bad = (what: string, value: Json): Value => ({ what, intent: 'bad', value });
export const open = (what: string, value: Json): Value => ({ what, intent: 'open', value });

/** What a value from the samples is called. */
export const SAMPLE = 'a sample';

/** Text that programs stumble over: other scripts, emoji, text that runs backwards, codes for terminals, paths, markup. */
export const HOSTILE_TEXT: readonly string[] = [
  'naïve 名前 🚀',
  '\u202Etxet',
  '\u001b[2J\u001b]0;gone\u0007',
  '../../etc/passwd',
  '$(reboot); `id` | "quoted" \'single\'',
  '--all=true',
  '<script>&amp;%00',
  'line\nbreak\ttab\r',
  '\u0000',
];
