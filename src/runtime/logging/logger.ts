// The Logger of a process: drops what is below its level, adds the fields it was given, and hands finished lines to
// `write`. Formats are functions, so where lines go and how they look are chosen by the main program.
//
// Guarantee: logging never throws into the code that logs, whatever values the fields have.

import { type WallClock, wallClock } from '../clock.ts';
import type { Fields, Level, Logger } from '../log.ts';
import { formatJson } from './json.ts';
import { formatPlain, formatPretty } from './pretty.ts';

export interface Entry {
  readonly level: Level;
  readonly time: Date;
  /** A constant; facts are in the fields. */
  readonly message: string;
  readonly fields: Fields;
}

const FORMATS = { json: formatJson, pretty: formatPretty, plain: formatPlain } as const;
const RANKS: Readonly<Record<Level, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

export type Format = keyof typeof FORMATS;

/** Where lines go, how they look, and which are dropped. */
export interface LoggerOptions {
  /** Receives whole lines, each with its line break. */
  readonly write: (line: string) => void;
  readonly format: Format;
  /** The least important level that is written. @default info */
  readonly level?: Level;
  readonly wallNow?: WallClock;
}

/** The logger of a process. */
export function createLogger(options: LoggerOptions, fields: Fields = {}): Logger {
  const { write, format, level: least = 'info', wallNow = wallClock } = options;
  const at =
    (level: Level): Logger['info'] =>
    (message, more) => {
      if (RANKS[level] < RANKS[least]) return;
      const entry = { level, time: new Date(wallNow()), message, fields: { ...fields, ...more } };
      write(`${FORMATS[format](entry)}\n`);
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (more) => createLogger(options, { ...fields, ...more }),
  };
}

/** Pretty where a person reads, with colour unless that is unwelcome (`NO_COLOR`); JSON everywhere else. */
export function formatFor(stream: { readonly isTTY?: boolean; hasColors?(): boolean }): Format {
  if (stream.isTTY !== true) return 'json';
  return stream.hasColors?.() === false ? 'plain' : 'pretty';
}
