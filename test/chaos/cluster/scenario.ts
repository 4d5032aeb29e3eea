// What a scenario is: what is there before, what somebody then does, and how it must end. Told by an actor that speaks
// the words of one kind and watches over its own promises, so that whoever plays scenarios needs to know of no kind.

import type { Client } from '../../../src/runtime/client/client.ts';

/** Where a scenario is played, in a namespace of its own. */
export interface Place {
  readonly client: Client;
  readonly namespace: string;
  /** How long anything may take to become as it should be. @default a minute */
  readonly patienceMs?: number;
}

export interface Actor {
  /** Waits until everything is as the spec says, with nothing too many and nothing left over. */
  complete(): Promise<void>;
  /** Ends the watch over its promises; returns those that were broken. */
  close(): Promise<readonly string[]>;
}

export interface Steps<A> {
  readonly name: string;
  /** What is there before, at rest. */
  prepare?(actor: A): Promise<unknown>;
  /** What the operator is then to follow. */
  act(actor: A): Promise<unknown>;
  /** Resolves when it has. @default complete */
  rest?(actor: A): Promise<void>;
  /** What a person does afterwards to let everything come to rest. */
  afterwards?(actor: A): Promise<unknown>;
  /** Touches what all namespaces share, so that nothing else may be played meanwhile. @default false */
  readonly alone?: boolean;
}

export interface Play {
  prepare(): Promise<unknown>;
  act(): Promise<unknown>;
  rest(): Promise<void>;
  afterwards(): Promise<unknown>;
  close(): Promise<readonly string[]>;
}

export interface Scenario {
  readonly name: string;
  readonly alone: boolean;
  open(place: Place): Promise<Play>;
}

/** The scenarios of a kind, from what its actors do. */
export function scenariosOf<A extends Actor>(
  kind: string,
  enter: (place: Place) => Promise<A>,
  table: readonly Steps<A>[],
): Scenario[] {
  return table.map((steps) => ({
    name: `${kind} ${steps.name}`,
    alone: steps.alone ?? false,
    open: async (place) => {
      const actor = await enter(place);
      return {
        prepare: async () => steps.prepare?.(actor),
        act: () => steps.act(actor),
        rest: () => steps.rest?.(actor) ?? actor.complete(),
        afterwards: async () => {
          if (steps.afterwards === undefined) return;
          await steps.afterwards(actor);
          await actor.complete();
        },
        close: () => actor.close(),
      };
    },
  }));
}
