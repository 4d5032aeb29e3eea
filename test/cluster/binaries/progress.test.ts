// Progress from the producer to the words on the screen, on a clock that the test turns.

import { describe, expect, it } from '@jest/globals';
import { type Activity, type ProgressEvent, Stopwatch } from '../../../src/cluster/binaries/progress.ts';
import { plainProgress, progressLine, terminalProgress } from '../../../src/cluster/binaries/progress-lines.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { RecordedProgress } from './fixture.ts';

const component = 'kube-apiserver';

describe('a stopwatch', () => {
  it('reports a new step at once and then every second, with the latest count', async () => {
    const clock = new FakeClock();
    const progress = new RecordedProgress();
    const stopwatch = new Stopwatch(component, progress, clock);
    stopwatch.report({ step: 'resolving', done: 0 });
    await clock.advance(500);
    stopwatch.report({ step: 'building', done: 0, total: 9 });
    stopwatch.report({ step: 'building', done: 3, total: 9 });
    stopwatch.report({ step: 'building', done: 4, total: 9 });
    await clock.advance(2_000);
    expect(progress.events).toEqual([
      { component, step: 'resolving', done: 0, elapsedMs: 0 },
      { component, step: 'building', done: 0, total: 9, elapsedMs: 500 },
      { component, step: 'building', done: 4, total: 9, elapsedMs: 1_500 },
      { component, step: 'building', done: 4, total: 9, elapsedMs: 2_500 },
    ]);
  });

  it('says final things once each, and nothing after it was stopped', async () => {
    const clock = new FakeClock();
    const progress = new RecordedProgress();
    const stopwatch = new Stopwatch(component, progress, clock);
    stopwatch.report({ step: 'skipped', way: 'cache', because: 'damaged' });
    stopwatch.report({ step: 'skipped', way: 'download', because: 'no network' });
    stopwatch.report({ step: 'unpacking' });
    stopwatch.stop();
    await clock.advance(5_000);
    expect(progress.steps(component)).toEqual(['skipped', 'skipped', 'unpacking']);
    expect(clock.timers).toBe(0);
  });
});

describe('a line of progress', () => {
  it.each<{ activity: Activity; elapsedMs: number; line: string }>([
    {
      activity: { step: 'waiting', pid: 42 },
      elapsedMs: 0,
      line: 'waiting for process 42, which is making it ready (0s)',
    },
    { activity: { step: 'downloading', done: 1_500_000 }, elapsedMs: 999, line: 'downloading, 1.5 MB (0s)' },
    {
      activity: { step: 'downloading', done: 1_500_000, total: 105_398_434 },
      elapsedMs: 59_999,
      line: 'downloading, 1.5 MB of 105.4 MB (59s)',
    },
    { activity: { step: 'unpacking' }, elapsedMs: 60_000, line: 'unpacking (1m 00s)' },
    { activity: { step: 'resolving', done: 7 }, elapsedMs: 61_000, line: 'resolving Go modules, 7 fetched (1m 01s)' },
    {
      activity: { step: 'building', done: 512, total: 1_834 },
      elapsedMs: 605_000,
      line: 'building, 512 of 1834 packages (10m 05s)',
    },
    {
      activity: { step: 'skipped', way: 'go build', because: 'ended with 1:\nlong story' },
      elapsedMs: 0,
      line: 'go build skipped: ended with 1: (0s)',
    },
    { activity: { step: 'ready' }, elapsedMs: 356_000, line: 'ready (5m 56s)' },
  ])('$line', ({ activity, elapsedMs, line }) => {
    expect(progressLine({ ...activity, component, elapsedMs })).toBe(`kube-apiserver: ${line}`);
  });
});

const story: ProgressEvent[] = [
  { component: 'etcd', step: 'skipped', way: 'cache', because: 'damaged', elapsedMs: 0 },
  { component: 'etcd', step: 'skipped', way: 'download', because: 'no network', elapsedMs: 0 },
  { component: 'etcd', step: 'building', done: 0, total: 9, elapsedMs: 0 },
  { component: 'etcd', step: 'building', done: 4, total: 9, elapsedMs: 29_000 },
  { component: 'etcd', step: 'building', done: 5, total: 9, elapsedMs: 30_000 },
  { component: 'etcd', step: 'building', done: 6, total: 9, elapsedMs: 59_000 },
  { component: 'etcd', step: 'ready', elapsedMs: 61_000 },
  { component: 'kwok', step: 'building', done: 0, total: 2, elapsedMs: 0 },
  { component: 'kwok', step: 'ready', elapsedMs: 1_000 },
];

describe('progress in a log', () => {
  it('is a line at each new step, every half minute, and at the end', () => {
    let log = '';
    const progress = plainProgress((line) => {
      log += line;
    });
    for (const event of story) progress.report(event);
    expect(log.split('\n')).toEqual([
      'etcd: cache skipped: damaged (0s)',
      'etcd: download skipped: no network (0s)',
      'etcd: building, 0 of 9 packages (0s)',
      'etcd: building, 5 of 9 packages (30s)',
      'etcd: ready (1m 01s)',
      'kwok: building, 0 of 2 packages (0s)',
      'kwok: ready (1s)',
      '',
    ]);
  });
});

describe('progress on a terminal', () => {
  /** What is on the screen after all that was written: \r and "erase line" applied. */
  function screen(written: string): string[] {
    return written.split('\n').map((line) => line.split('\r\u001b[2K').at(-1) ?? '');
  }

  it('redraws one line a component and keeps what is final', () => {
    let written = '';
    const progress = terminalProgress({ columns: 80, write: (text) => (written += text) });
    for (const event of story.slice(0, 6)) progress.report(event);
    expect(screen(written)).toEqual([
      'etcd: cache skipped: damaged (0s)',
      'etcd: download skipped: no network (0s)',
      'etcd: building, 6 of 9 packages (59s)',
    ]);
    for (const event of story.slice(6)) progress.report(event);
    expect(screen(written)).toEqual([
      'etcd: cache skipped: damaged (0s)',
      'etcd: download skipped: no network (0s)',
      'etcd: ready (1m 01s)',
      'kwok: ready (1s)',
      '',
    ]);
  });

  it('cuts a line that would wrap, because a wrapped line cannot be redrawn', () => {
    let written = '';
    const progress = terminalProgress({ columns: 20, write: (text) => (written += text) });
    progress.report({ component: 'etcd', step: 'building', done: 0, total: 9, elapsedMs: 0 });
    expect(screen(written)).toEqual(['etcd: building, 0 o']);
  });
});
