// The live view: the tree, drawn again when something changed and once a second for the ages. A cut watch is mended by the
// informers below; until then the picture says that it is old. In a pipe, the tree comes once and then a line for each
// change of state. Ends at Ctrl-C, at the time-out, or when the object is gone, and leaves the terminal as it was.

import { myDeployments } from '../../kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import { pods as fullPods } from '../../runtime/built-in.ts';
import { later, msBetween } from '../../runtime/instant.ts';
import { formatSelector } from '../../workload/selector.ts';
import { controllerRevisions } from '../../workload/write-context.ts';
import type { Context } from '../context.ts';
import { Following } from '../follow.ts';
import { printable } from '../terminal/printable.ts';
import { Screen } from '../terminal/screen.ts';
import { plain, styleFor } from '../terminal/style.ts';
import { tree } from './tree.ts';
import { type Facts, type View, viewOf } from './view.ts';

/** Twenty pictures a second are smooth, and cheap. */
const SHORTEST_MS = 50;
const TICK_MS = 1_000;

/** Follows this object until something ends it. */
export async function watchTree(context: Context, first: MyDeployment): Promise<number> {
  const { client, console, clock, wallNow, flags } = context;
  const following = new Following(client, console.interrupted);
  const facts = followFacts(following, first);
  const deadline = later(clock.now(), flags.duration('timeout') ?? Number.POSITIVE_INFINITY);
  await following.start();
  const picture = console.out.isTerminal ? new Picture(context) : new Lines(context);
  const stopResizing = console.onResize(() => picture.again());
  try {
    for (;;) {
      const now = clock.now();
      const present = facts();
      if (present === undefined || now >= deadline) return 0;
      picture.show(viewOf(printable(present), wallNow()), following.isCut);
      await following.change(Math.max(1, Math.min(TICK_MS, msBetween(now, deadline))));
      await new Promise((resolve) => setTimeout(resolve, SHORTEST_MS));
    }
  } finally {
    stopResizing();
    following.stop();
    picture.end(facts() === undefined);
  }
}

function followFacts(following: Following, { metadata, spec }: MyDeployment): () => Facts | undefined {
  const { namespace = '', name } = metadata;
  const near = { namespace, labelSelector: formatSelector(spec.selector) };
  const objects = following.informer(myDeployments, { namespace, fieldSelector: `metadata.name=${name}` });
  const revisions = following.informer(controllerRevisions, near);
  const pods = following.informer(fullPods, near);
  return () => {
    const object = objects.get(`${namespace}/${name}`);
    return object && { object, revisions: revisions.list(), pods: pods.list() };
  };
}

/** On a terminal: the tree on a screen of its own, and its last state below the command when it is closed. */
class Picture {
  readonly #context: Context;
  readonly #screen: Screen;
  #last: { readonly view: View; readonly isCut: boolean } | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#screen = new Screen(context.console);
  }

  show(view: View, isCut: boolean): void {
    this.#last = { view, isCut };
    this.again();
  }

  again(): void {
    if (this.#last === undefined) return;
    const { isCut } = this.#last;
    const style = styleFor(this.#context.console.colour);
    const { rows } = this.#context.console.size();
    const lines = this.#lines(isCut ? rows - 1 : rows);
    this.#screen.draw(isCut ? [...lines, style.bad('the connection is cut: this picture may be old')] : lines);
  }

  end(isGone: boolean): void {
    this.#screen.close();
    const words = isGone ? ['the object has been deleted'] : [];
    this.#context.console.out.write(`${[...this.#lines(undefined), ...words].join('\n')}\n`);
  }

  #lines(rows: number | undefined): string[] {
    if (this.#last === undefined) return [];
    const { console, wallNow } = this.#context;
    const { columns } = console.size();
    return tree(this.#last.view, { now: wallNow(), columns, rows, style: styleFor(console.colour) });
  }
}

/** In a pipe: the tree once, then the state whenever it is another. */
class Lines {
  readonly #context: Context;
  #said: string | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  show(view: View): void {
    const { console, wallNow } = this.#context;
    const { counts, state, name, message } = view;
    const said = `mydeployment/${name}  ${state}: ${message}; ${counts.updated} new, ${counts.old} old, ${counts.unavailable} unavailable`;
    if (said === this.#said) return;
    const columns = Number.POSITIVE_INFINITY;
    const lines = this.#said === undefined ? tree(view, { now: wallNow(), columns, style: plain }) : [said];
    this.#said = said;
    console.out.write(`${lines.join('\n')}\n`);
  }

  again(): void {}

  end(isGone: boolean): void {
    if (isGone) this.#context.console.out.write('the object has been deleted\n');
  }
}
