// What a command is given: its arguments and flags, the terminal, the cluster and the clocks.

import { myDeployments } from '../kinds/my-deployment/names.ts';
import type { MyDeployment } from '../kinds/my-deployment/types.gen.ts';
import type { Clock, WallClock } from '../runtime/clock.ts';
import type { ObjectRef } from '../runtime/object.ts';
import type { Flags } from './arguments.ts';
import type { Session } from './session.ts';
import type { Console } from './terminal/console.ts';

export interface Context extends Pick<Session, 'client' | 'namespace' | 'server'> {
  readonly args: readonly string[];
  readonly flags: Flags;
  readonly console: Console;
  readonly clock: Clock;
  readonly wallNow: WallClock;
}

/** Runs a command; resolves with the exit code. */
export type CommandFunction = (context: Context) => Promise<number>;

/** What a command that works on one MyDeployment is given. Its namespace is the namespace of that object. */
export interface ObjectContext extends Context {
  readonly target: Required<ObjectRef>;
}

export type ObjectCommand = (context: ObjectContext) => Promise<number>;

/** The part of it that reads and writes the object. */
export interface Reach extends Pick<ObjectContext, 'client' | 'target'> {
  readonly console: Pick<Console, 'interrupted'>;
}

/** Reads the MyDeployment that the command works on. */
export function readTarget({ client, target, console }: Reach): Promise<MyDeployment> {
  return client.get(myDeployments, target, { signal: console.interrupted });
}
