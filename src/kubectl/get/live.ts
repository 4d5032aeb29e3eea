// The live view: the tree, drawn again after every change and once a second for the ages. While a watch is disconnected, the
// view says that it may be outdated. In a pipe, the tree is printed once, then one line for each change of state. The view ends
// at Ctrl-C, at the timeout, or when the object is deleted, and restores the terminal.

import { myDeployments } from '../../kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import { rolloutPolicies } from '../../policy/resource.ts';
import { pods as fullPods } from '../../runtime/built-in.ts';
import { later, msBetween } from '../../runtime/instant.ts';
import { formatSelector } from '../../workload/selector.ts';
import { controllerRevisions } from '../../workload/write-context.ts';
import type { Context } from '../context.ts';
import { ObjectWatch } from '../object-watch.ts';
import { printable } from '../terminal/printable.ts';
import { Screen } from '../terminal/screen.ts';
import { plain, styleFor } from '../terminal/style.ts';
import { tree } from './tree.ts';
import { type Facts, type View, viewOf } from './view.ts';

/** At most twenty frames a second. */
const SHORTEST_MS = 50;
const TICK_MS = 1_000;

/** Shows this object until Ctrl-C, the timeout or its deletion. */
export async function watchTree(context: Context, first: MyDeployment): Promise<number> {
  const { client, console, clock, wallNow, flags } = context;
  const watch = new ObjectWatch(client, console.interrupted);
  const facts = watchFacts(watch, first);
  const deadline = later(clock.now(), flags.duration('timeout') ?? Number.POSITIVE_INFINITY);
  await watch.start();
  const picture = console.out.isTerminal ? new Picture(context) : new Lines(context);
  const stopResizing = console.onResize(() => picture.again());
  try {
    for (;;) {
      const now = clock.now();
      const present = facts();
      if (present === undefined || now >= deadline) return 0;
      picture.show(viewOf(printable(present), wallNow()), watch.isDisconnected);
      await watch.nextChange(Math.max(1, Math.min(TICK_MS, msBetween(now, deadline))));
      await new Promise((resolve) => setTimeout(resolve, SHORTEST_MS));
    }
  } finally {
    stopResizing();
    watch.stop();
    picture.end(facts() === undefined);
  }
}

function watchFacts(watch: ObjectWatch, { metadata, spec }: MyDeployment): () => Facts | undefined {
  const { namespace = '', name } = metadata;
  const near = { namespace, labelSelector: formatSelector(spec.selector) };
  const objects = watch.informer(myDeployments, { namespace, fieldSelector: `metadata.name=${name}` });
  const revisions = watch.informer(controllerRevisions, near);
  const pods = watch.informer(fullPods, near);
  const policies = watch.optionalInformer(rolloutPolicies, { namespace });
  return () => {
    const object = objects.get(`${namespace}/${name}`);
    return object && { object, revisions: revisions.list(), pods: pods.list(), policies: policies.list() };
  };
}

/** On a terminal: the tree on a screen of its own, and its last state below the command when it is closed. */
class Picture {
  readonly #context: Context;
  readonly #screen: Screen;
  #last: { readonly view: View; readonly isDisconnected: boolean } | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#screen = new Screen(context.console);
  }

  show(view: View, isDisconnected: boolean): void {
    this.#last = { view, isDisconnected };
    this.again();
  }

  again(): void {
    if (this.#last === undefined) return;
    const { isDisconnected } = this.#last;
    const style = styleFor(this.#context.console.colour);
    const { rows } = this.#context.console.size();
    const lines = this.#lines(isDisconnected ? rows - 1 : rows);
    this.#screen.draw(isDisconnected ? [...lines, style.bad('the connection is cut: this picture may be old')] : lines);
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
    const { counts, state, name, message, policy } = view;
    const step = policy === undefined ? '' : `; ${policy.words}`;
    const said = `mydeployment/${name}  ${state}: ${message}; ${counts.updated} new, ${counts.old} old, ${counts.unavailable} unavailable${step}`;
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
