// Draws the steps of a RolloutPolicy, for the tree of `get`.

import type { Style } from '../terminal/style.ts';
import { table } from '../terminal/text.ts';
import type { PolicyView, StepView } from './view.ts';

const MARKS = { over: '✔', here: '▶', ahead: '○' } as const;

/** As many lines as there is room for; where the rollout is comes before the other steps. */
export function policyLines(view: PolicyView, room: number, style: Style): string[] {
  const paint = { idle: style.faint, moving: style.waiting, failed: style.bad }[view.state];
  const head = `${style.strong(`rolloutpolicy/${view.name}`)}  ${paint(view.words)}`;
  const steps = stepLines(view.steps, style);
  if (steps.length < room) return [head, ...steps];
  const here = view.steps.filter(({ state }) => state === 'here');
  return [head, ...stepLines(here, style)].slice(0, Math.max(1, room));
}

function stepLines(steps: readonly StepView[], style: Style): string[] {
  const paint = { over: style.good, here: style.waiting, ahead: style.faint };
  const rows = table(
    steps.map(({ title, pods, state, waits }) => [
      `  ${paint[state](`${MARKS[state]} ${title}`)}`,
      pods,
      waits.join('; '),
    ]),
    2,
  );
  return steps.flatMap(({ gates }, index) => [rows[index] as string, ...gates.map((gate) => `      ${gate}`)]);
}
