// `rollout diff`: what changed between two revisions, in colour on a terminal.

import type { RevisionRecord } from '../../kinds/my-deployment/plan/record.ts';
import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import { UsageError } from '../arguments.ts';
import { type ObjectContext, readTarget } from '../context.ts';
import { findRevision, presentRevision, previousRevision, readRevisions } from '../revisions.ts';
import { type Style, styleFor } from '../terminal/style.ts';
import { templateYaml } from './history.ts';
import { type DiffLine, lineDiff } from './line-diff.ts';

export async function diff(context: ObjectContext): Promise<number> {
  const { args, console } = context;
  const numbers = args.slice(1).map(revisionNumber);
  const object = await readTarget(context);
  const revisions = await readRevisions(context, object);
  const from = numbers[0] === undefined ? previousRevision(object, revisions) : findRevision(revisions, numbers[0]);
  const to = numbers[1] === undefined ? present(object, revisions) : findRevision(revisions, numbers[1]);
  console.out.write(diffText(from, to, styleFor(console.colour)));
  return 0;
}

export interface Side {
  /** Undefined for a template that is not recorded yet. */
  readonly number: number | undefined;
  readonly template: RevisionRecord['template'];
}

/** The lines in which two templates differ. */
export function templateDiff(from: Side, to: Side): DiffLine[] {
  return lineDiff(linesOf(from), linesOf(to));
}

/** Both sides' names and the lines in which they differ. */
export function diffText(from: Side, to: Side, style: Style): string {
  const lines = templateDiff(from, to);
  if (lines.length === 0) return `${titleOf(from)} and ${titleOf(to)} have the same template\n`;
  const title = [style.strong(`--- ${titleOf(from)}`), style.strong(`+++ ${titleOf(to)}`)];
  return `${[...title, ...lines.map((line) => painted(line, style))].join('\n')}\n`;
}

function painted({ sign, text }: DiffLine, style: Style): string {
  switch (sign) {
    case '-':
      return style.bad(`-${text}`);
    case '+':
      return style.good(`+${text}`);
    case '@':
      return style.faint(`@@ ${text}`.trimEnd());
    case ' ':
      return ` ${text}`;
    default:
      return sign satisfies never;
  }
}

/** The template that the object has now. */
export function present(object: MyDeployment, revisions: readonly RevisionRecord[]): Side {
  return { number: presentRevision(object, revisions)?.number, template: object.spec.template };
}

/** What a side is called in a sentence. */
export function titleOf({ number }: Side): string {
  return number === undefined ? 'the template that waits to be rolled out' : `revision ${number}`;
}

function linesOf({ template }: Side): string[] {
  return template === undefined ? [] : templateYaml(template).trimEnd().split('\n');
}

function revisionNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`"${text}" is no revision number; see kubectl md rollout history`);
  return Number(text);
}
