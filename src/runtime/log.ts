// Structured logging as a port: a constant message and facts in fields, so that logs can be searched.
// Pretty on a terminal, one JSON object a line otherwise; nothing here decides where the lines go.

/** How important a line is. */
export type Level = 'debug' | 'info' | 'warn' | 'error';
/** The facts of a line. */
export type Fields = Readonly<Record<string, unknown>>;

/** Where lines go: a constant message with fields. */
export interface Logger {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** A logger that adds these fields to every line. */
  with(fields: Fields): Logger;
}

/** Drops every line. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with: () => silentLogger,
};
