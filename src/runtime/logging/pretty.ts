// For people at a terminal: time, level, message and fields in one line, and errors below it with their causes.

import { stripVTControlCharacters, styleText } from 'node:util';
import type { Level } from '../log.ts';
import type { Entry } from './logger.ts';
import { type Plain, toPlain } from './values.ts';

type Style = Parameters<typeof styleText>[0];

const STYLES: Readonly<Record<Level, Style>> = { debug: 'gray', info: 'cyan', warn: 'yellow', error: 'red' };

/** Text that needs no quotes: nothing in it can be taken for a separator or move the cursor. */
const BARE = /^[^\s"=\\\p{C}]+$/u;

/** `12:30:01.250 INFO  planned rollout step key=ns/web actions=3`, in colour. */
export function formatPretty(entry: Entry): string {
  const coloured = (style: Style, text: string): string => styleText(style, text, { validateStream: false });
  return layOut(entry, coloured);
}

/** The same without colour. */
export function formatPlain(entry: Entry): string {
  return layOut(entry, (_style, text) => text);
}

function layOut({ level, time, message, fields }: Entry, paint: (style: Style, text: string) => string): string {
  const head = [
    paint('gray', time.toISOString().slice(11, 23)),
    paint(STYLES[level], level.toUpperCase().padEnd(5)),
    message,
  ];
  const errors: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const plain = toPlain(value);
    if (value instanceof Error) errors.push(...describeError(name, plain));
    else if (value !== undefined) head.push(`${paint('gray', `${name}=`)}${show(plain)}`);
  }
  return [head.join(' '), ...errors.map((line) => paint('gray', `  ${line}`))].join('\n');
}

function show(value: Plain): string {
  if (typeof value === 'string' && BARE.test(value)) return value;
  // JSON leaves the upper control characters as they are.
  return JSON.stringify(value).replace(/\p{Cc}/gu, (each) => `\\u00${each.charCodeAt(0).toString(16)}`);
}

/** The stack says name and message, too; causes and gathered errors follow in the same way. */
function describeError(label: string, error: Plain): string[] {
  if (typeof error !== 'object' || error === null || Array.isArray(error)) return [`${label}: ${show(error)}`];
  const { name, message, stack, cause, errors, ...details } = error as Readonly<Record<string, Plain>>;
  const [first = '', ...frames] = clean(stack ?? `${name}: ${message}`).split('\n');
  const facts = Object.entries(details).map(([key, value]) => ` ${key}=${show(value)}`);
  return [
    `${label}: ${first}${facts.join('')}`,
    ...frames,
    ...(cause === undefined ? [] : describeError('caused by', cause)),
    ...(Array.isArray(errors) ? errors.flatMap((each) => describeError('one of them', each)) : []),
  ];
}

/** What a server said may end up in a message, and must not steer the terminal. */
function clean(text: Plain): string {
  return stripVTControlCharacters(String(text)).replace(/[^\P{C}\n]/gu, '');
}
