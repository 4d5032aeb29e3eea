// `rollout history`: the revisions there are, or the pod template of one of them.

import { stringify } from 'yaml';
import { CHANGE_CAUSE, type RevisionRecord } from '../../kinds/my-deployment/plan/record.ts';
import { canonical } from '../../workload/canonical.ts';
import type { ControllerRevision } from '../../workload/revision.ts';
import { controllerRevisions } from '../../workload/write-context.ts';
import { type ObjectContext, readTarget } from '../context.ts';
import { printedName } from '../object-name.ts';
import { type Format, formatOf, printObject, printObjects } from '../output.ts';
import { outcomeOf } from '../policy/outcome.ts';
import { findRevision, readRevisions } from '../revisions.ts';
import { printable } from '../terminal/printable.ts';
import { table } from '../terminal/text.ts';

export async function history(context: ObjectContext): Promise<number> {
  const { flags, console } = context;
  const number = flags.count('revision') ?? 0;
  const format = formatOf(flags);
  const object = await readTarget(context);
  const revisions = await readRevisions(context, object);
  const chosen = number === 0 ? revisions : [findRevision(revisions, number)];
  if (format !== undefined) {
    const objects = chosen.flatMap(({ stored }) => stored ?? []);
    console.out.write(number === 0 ? printObjects(objects, format, controllerRevisions) : printOne(objects, format));
  } else {
    const { name } = object.metadata;
    const shown = printable(chosen);
    const text =
      number === 0 ? historyTable(name, shown) : templateText(name, shown[0] as RevisionRecord, newestOf(revisions));
    console.out.write(text);
  }
  return 0;
}

function printOne([revision]: readonly ControllerRevision[], format: Format): string {
  return revision === undefined ? '' : printObject(revision, format, controllerRevisions);
}

/** REVISION and CHANGE-CAUSE, as kubectl has them, and what became of each where a policy governs. */
export function historyTable(name: string, revisions: readonly RevisionRecord[]): string {
  const outcomes = revisions.map((revision) => outcomeOf(revision, newestOf(revisions)));
  const isTold = outcomes.some((outcome) => outcome !== '');
  const rows = revisions.map(({ number, stored }, index) => [
    String(number),
    stored?.metadata.annotations?.[CHANGE_CAUSE] ?? '<none>',
    ...(isTold ? [outcomes[index] as string] : []),
  ]);
  const header = ['REVISION', 'CHANGE-CAUSE', ...(isTold ? ['OUTCOME'] : [])];
  return `${[printedName(name), ...table([header, ...rows], 2)].join('\n')}\n`;
}

function newestOf(revisions: readonly RevisionRecord[]): number {
  return revisions.at(-1)?.number ?? 0;
}

/** One revision's template. */
export function templateText(name: string, revision: RevisionRecord, newest: number): string {
  const { number, template, stored } = revision;
  const cause = stored?.metadata.annotations?.[CHANGE_CAUSE];
  const outcome = outcomeOf(revision, newest);
  const body = template === undefined ? '<unreadable>\n' : templateYaml(template);
  return [
    `${printedName(name)} with revision #${number}`,
    ...(cause === undefined ? [] : [`Change cause: ${cause}`]),
    ...(outcome === '' ? [] : [`Outcome: ${outcome}`]),
    'Pod Template:',
    ...body
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    '',
  ].join('\n');
}

/** A template as YAML, always written the same way, so that two of them can be compared line by line. */
export function templateYaml(template: object): string {
  return stringify(canonical(printable(template)), { lineWidth: 0 });
}
