// Draws a MyDeployment: its state and progress, and its revisions with their pods as a tree. Pure: turns a view, the time and
// the size of the terminal into lines.

import type { Pod as FullPod } from '../../runtime/built-in.ts';
import { timeOf } from '../../workload/pod.ts';
import { formatDuration } from '../duration.ts';
import { podSummary } from '../pod-status.ts';
import { policyLines } from '../policy/lines.ts';
import type { Style } from '../terminal/style.ts';
import { cut, table } from '../terminal/text.ts';
import { bar } from './bar.ts';
import type { RevisionView, View } from './view.ts';

export interface Canvas {
  readonly now: number;
  readonly columns: number;
  /** The most lines to draw; all when absent. */
  readonly rows?: number | undefined;
  readonly style: Style;
}

const WIDEST_BAR = 60;
const MARKS = { ready: '✔', starting: '◌', changing: '↻', failing: '✖', terminating: '↓' } as const;

/** The lines of the picture, none wider than the canvas. */
export function tree(view: View, canvas: Canvas): string[] {
  const summary = header(view, canvas);
  const head = [...summary, ...policyPart(view, canvas, summary.length), ''];
  const room = canvas.rows === undefined ? Number.POSITIVE_INFINITY : canvas.rows - head.length - 1;
  const body = table(
    [['NAME', 'STATUS', 'READY', 'RESTARTS', 'AGE', 'NODE'], ...shorten(rowsOf(view, canvas), room)],
    2,
  );
  return [...head, ...body].map((line) => cut(line, canvas.columns));
}

function header(
  { name, namespace, state, message, strategy, counts, shares }: View,
  { columns, style }: Canvas,
): string[] {
  const paint = { Healthy: style.good, Progressing: style.waiting, Paused: style.waiting, Degraded: style.bad };
  const painted = state === 'Terminating' ? style.faint(state) : paint[state](state);
  const { wanted, updated, ready, available, old, unavailable } = counts;
  return [
    `${style.strong(`mydeployment/${name}`)}  ${painted}: ${message}`,
    style.faint(`namespace ${namespace}, ${strategy}`),
    `${wanted} wanted, ${updated} updated, ${ready} ready, ${available} available`,
    `${bar(shares, Math.max(10, Math.min(WIDEST_BAR, columns - 36)), style)}  ${legend({ new: updated, old, unavailable }, style)}`,
  ];
}

/** At most half of the rows, because the pods matter, too; none where there is hardly room for those. */
function policyPart({ policy }: View, { rows = Number.POSITIVE_INFINITY, style }: Canvas, above: number): string[] {
  const room = Math.min(Math.floor(rows / 2), rows - above - 5);
  return policy === undefined || room < 1 ? [] : ['', ...policyLines(policy, room, style)];
}

function legend(counts: { new: number; old: number; unavailable: number }, style: Style): string {
  return `${style.good(`${counts.new} new`)}, ${style.old(`${counts.old} old`)}, ${
    counts.unavailable > 0 ? style.bad(`${counts.unavailable} unavailable`) : '0 unavailable'
  }`;
}

function rowsOf(view: View, canvas: Canvas): string[][] {
  const { style, now } = canvas;
  const root = [
    style.strong(`MyDeployment/${view.name}`),
    '',
    `${view.counts.ready}/${view.counts.wanted}`,
    '',
    age(view.createdAt, now),
  ];
  return [
    root,
    ...view.revisions.flatMap((revision, index) => {
      const isLast = index === view.revisions.length - 1;
      return revisionRows(revision, isLast ? ['└─ ', '   '] : ['├─ ', '│  '], canvas);
    }),
  ];
}

function revisionRows(revision: RevisionView, [branch, trunk]: readonly [string, string], canvas: Canvas): string[][] {
  const { style } = canvas;
  const { number, isNew, images, ready, desired, pods } = revision;
  const title = number === 0 ? 'unknown revision' : `revision ${number}`;
  const name = `${title} ${isNew ? style.good('new') : style.old('old')}`;
  return [
    [`${style.faint(branch)}${name}`, images.join(', '), `${ready}/${desired}`],
    ...pods.map((pod, index) => {
      const twig = `${trunk}${index === pods.length - 1 ? '└─ ' : '├─ '}`;
      return podRow(pod, style.faint(twig), canvas);
    }),
  ];
}

function podRow(pod: FullPod, twig: string, { now, style }: Canvas): string[] {
  const { ready, status, restarts, health } = podSummary(pod);
  const { good, waiting, bad, faint } = style;
  const paint = { ready: good, starting: waiting, changing: waiting, failing: bad, terminating: faint }[health];
  const { name, creationTimestamp } = pod.metadata;
  return [
    `${twig}${name}`,
    paint(`${MARKS[health]} ${status}`),
    ready,
    String(restarts),
    age(creationTimestamp, now),
    pod.spec?.nodeName ?? '<none>',
  ];
}

function age(since: string | undefined, now: number): string {
  const start = timeOf(since);
  return start === undefined ? '' : formatDuration(now - start);
}

/** As many rows as there is room for, with a word about the others. */
function shorten(rows: readonly string[][], room: number): readonly string[][] {
  if (rows.length <= room) return rows;
  const kept = Math.max(0, room - 1);
  return [...rows.slice(0, kept), [`… ${rows.length - kept} more`]];
}
