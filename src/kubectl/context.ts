// What a command is given: the words it was called with, somebody to talk to, the cluster, and the time.

import { myDeployments } from '../kinds/my-deployment/names.ts';
import type { MyDeployment } from '../kinds/my-deployment/types.gen.ts';
import type { Clock, WallClock } from '../runtime/clock.ts';
import type { ObjectRef } from '../runtime/object.ts';
import type { Flags } from './arguments.ts';
import { myDeploymentName } from './object-name.ts';
import type { Session } from './session.ts';
import type { Console } from './terminal/console.ts';

export interface Context extends Pick<Session, 'client' | 'namespace'> {
  readonly args: readonly string[];
  readonly flags: Flags;
  readonly console: Console;
  readonly clock: Clock;
  readonly wallNow: WallClock;
}

/** Carries a command out; resolves with the exit code. */
export type CommandFunction = (context: Context) => Promise<number>;

/** The MyDeployment that the first argument names. */
export function subject({ args, namespace }: Context): Required<ObjectRef> {
  return { namespace, name: myDeploymentName(args[0] as string) };
}

/** Reads the MyDeployment that the first argument names. */
export function readSubject(context: Context): Promise<MyDeployment> {
  return context.client.get(myDeployments, subject(context), { signal: context.console.interrupted });
}
