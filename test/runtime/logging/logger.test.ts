import { stripVTControlCharacters } from 'node:util';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Level } from '../../../src/runtime/log.ts';
import { createLogger, type Format, formatFor, type LoggerOptions } from '../../../src/runtime/logging/logger.ts';

let lines: string[];

beforeEach(() => {
  lines = [];
});

function logger(format: Format, options: Partial<LoggerOptions> = {}) {
  return createLogger({ write: (line) => lines.push(line), format, wallNow: () => 1_500, ...options });
}

describe('levels', () => {
  const all: readonly Level[] = ['debug', 'info', 'warn', 'error'];

  it.each([
    { level: undefined, written: ['info', 'warn', 'error'] },
    { level: 'debug', written: all },
    { level: 'warn', written: ['warn', 'error'] },
    { level: 'error', written: ['error'] },
  ] as const)('from $level on are written', ({ level, written }) => {
    const log = logger('json', level === undefined ? {} : { level });
    for (const each of all) log[each](each);
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(written);
  });
});

describe('JSON lines', () => {
  it('have level, time and message first, then the fields of the logger and of the line', () => {
    logger('json').with({ controller: 'widgets' }).with({ key: 'ns/a' }).info('planned', { actions: 3 });
    expect(lines).toEqual([
      '{"level":"info","ts":"1970-01-01T00:00:01.500Z","msg":"planned","controller":"widgets","key":"ns/a","actions":3}\n',
    ]);
  });

  it('let a line override the fields of its logger, and leave the logger as it was', () => {
    const log = logger('json').with({ key: 'a' });
    log.info('one', { key: 'b' });
    log.info('two');
    expect(lines.map((line) => JSON.parse(line).key)).toEqual(['b', 'a']);
  });

  it('cannot be forged by fields', () => {
    logger('json').info('real', { msg: 'forged', level: 'error', ts: 'never' });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', msg: 'real', msg_: 'forged', level_: 'error' });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ ts: '1970-01-01T00:00:01.500Z', ts_: 'never' });
  });

  it('are one line each, whatever is in them', () => {
    logger('json').error('failed', { text: 'a\nb', error: new Error('c\nd', { cause: 'e' }) });
    expect(lines[0]?.trimEnd()).not.toContain('\n');
    expect(JSON.parse(lines[0] ?? '').error).toMatchObject({ message: 'c\nd', cause: 'e' });
  });
});

describe('plain lines', () => {
  it('are short for a reader', () => {
    logger('plain').warn('overdue', { key: 'ns/a', keys: ['x', 'y'], note: 'two words', nothing: undefined });
    expect(lines).toEqual(['00:00:01.500 WARN  overdue key=ns/a keys=["x","y"] note="two words"\n']);
  });

  it('have errors below them, with their causes and own fields', () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', stack: 'Error: refused\n    at net' });
    const error = new AggregateError([new Error('first')], 'cannot list pods', { cause });
    error.stack = 'AggregateError: cannot list pods\n    at list';
    if (error.errors[0] instanceof Error) error.errors[0].stack = 'Error: first';
    logger('plain').error('failed', { error, key: 'a' });
    expect(lines.join('').split('\n')).toEqual([
      '00:00:01.500 ERROR failed key=a',
      '  error: AggregateError: cannot list pods',
      '      at list',
      '  caused by: Error: refused code=ECONNREFUSED',
      '      at net',
      '  one of them: Error: first',
      '',
    ]);
  });

  it('show a cause that is no error', () => {
    const error = new Error('failed', { cause: 'just because' });
    error.stack = 'Error: failed';
    logger('plain').error('failed', { error });
    expect(lines[0]).toContain('  caused by: "just because"\n');
  });

  it('do not let anybody steer the terminal', () => {
    const error = new Error('x\u001b[2Jy\u009bz');
    logger('plain').error('failed', { error, note: '\u001b[2J', bell: '\u0007', high: 'a\u009bb' });
    expect(lines.join('').replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(lines[0]).toContain('high="a\\u009bb"');
  });
});

describe('pretty lines', () => {
  it('are the plain ones in colour', () => {
    const fields = { key: 'a', error: new Error('x') };
    logger('pretty').error('failed', fields);
    logger('plain').error('failed', fields);
    const [pretty, plain] = lines;
    expect(pretty).toContain('\u001b[31mERROR\u001b[39m');
    expect(stripVTControlCharacters(pretty ?? '')).toBe(plain);
  });
});

describe('formatFor', () => {
  it.each([
    { name: 'a terminal', stream: { isTTY: true, hasColors: () => true }, format: 'pretty' },
    { name: 'a terminal without colours', stream: { isTTY: true, hasColors: () => false }, format: 'plain' },
    { name: 'a pipe', stream: {}, format: 'json' },
  ])('chooses $format for $name', ({ stream, format }) => {
    expect(formatFor(stream)).toBe(format);
  });
});
