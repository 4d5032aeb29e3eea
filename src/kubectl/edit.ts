// Changes a MyDeployment: reads it, edits it, and writes it with the resourceVersion that was read. After a conflict it reads
// and edits again, so that no other user's change is overwritten.

import { myDeployments } from '../kinds/my-deployment/names.ts';
import type { MyDeployment } from '../kinds/my-deployment/types.gen.ts';
import { isApiError } from '../runtime/errors.ts';
import { sameMeaning } from '../workload/canonical.ts';
import { type ObjectContext, type Reach, readTarget } from './context.ts';
import { type DryRun, doneLine, dryRunOf, formatOf, printObject } from './output.ts';

/** Returns the edited object; throws when the edit does not apply to it. */
export type Edit = (object: MyDeployment) => MyDeployment;

export interface Words {
  /** What was done, e.g. `paused`. */
  readonly done: string;
  /** What to say when nothing had to be done; kubectl says nothing. */
  readonly unchanged?: string;
}

/** The operator writes the status often during a rollout, and every write changes the resourceVersion. */
const ATTEMPTS = 20;

/** Edits the MyDeployment that the command works on, and prints what was done. */
export async function editTarget(context: ObjectContext, edit: Edit, words: Words): Promise<number> {
  const { flags, console } = context;
  const dryRun = dryRunOf(flags);
  const format = formatOf(flags);
  const { before, after } = await writeEdit(context, edit, dryRun);
  if (format !== undefined) console.out.write(printObject(after, format));
  else if (!sameMeaning(before, after)) console.out.write(doneLine(after.metadata.name, words.done, dryRun));
  else if (words.unchanged !== undefined) console.out.write(doneLine(after.metadata.name, words.unchanged, dryRun));
  return 0;
}

export interface Edited {
  readonly before: MyDeployment;
  readonly after: MyDeployment;
}

/** Edits the object in the cluster; a dry run does everything but store it. */
export async function writeEdit(context: Reach, edit: Edit, dryRun: DryRun): Promise<Edited> {
  const { client, console } = context;
  for (let attempt = 1; ; attempt += 1) {
    const before = await readTarget(context);
    const wanted = edit(before);
    if (dryRun === 'client' || sameMeaning(before, wanted)) return { before, after: wanted };
    try {
      const options = { dryRun: dryRun === 'server', signal: console.interrupted };
      return { before, after: await client.update(myDeployments, wanted, options) };
    } catch (error) {
      if (!isApiError(error, 'Conflict') || attempt === ATTEMPTS) throw error;
    }
  }
}
