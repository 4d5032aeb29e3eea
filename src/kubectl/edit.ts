// Changes a MyDeployment: read, edit, write with the version that was read. Somebody who was quicker is met with another
// look, so no edit is lost and none is made on what is no longer true.

import { myDeployments } from '../kinds/my-deployment/names.ts';
import type { MyDeployment } from '../kinds/my-deployment/types.gen.ts';
import { isApiError } from '../runtime/errors.ts';
import { sameMeaning } from '../workload/canonical.ts';
import { type ObjectContext, readTarget } from './context.ts';
import { doneLine, dryRunOf, formatOf, printObject } from './output.ts';

/** Gives the object as it should be; throws when that makes no sense. */
export type Edit = (object: MyDeployment) => MyDeployment;

export interface Words {
  /** What was done, e.g. `paused`. */
  readonly done: string;
  /** What to say when nothing had to be done; kubectl says nothing. */
  readonly unchanged?: string;
}

/** The operator writes the status many times while a rollout runs, and each time the version changes. */
const ATTEMPTS = 20;

/** Edits the MyDeployment that the command works on, and says so. */
export async function editTarget(context: ObjectContext, edit: Edit, words: Words): Promise<number> {
  const { flags, console } = context;
  const dryRun = dryRunOf(flags);
  const format = formatOf(flags);
  const { before, after } = await writeEdit(context, edit);
  if (format !== undefined) console.out.write(printObject(after, format));
  else if (!sameMeaning(before, after)) console.out.write(doneLine(after.metadata.name, words.done, dryRun));
  else if (words.unchanged !== undefined) console.out.write(doneLine(after.metadata.name, words.unchanged, dryRun));
  return 0;
}

interface Edited {
  readonly before: MyDeployment;
  readonly after: MyDeployment;
}

async function writeEdit(context: ObjectContext, edit: Edit): Promise<Edited> {
  const { client, console, flags } = context;
  const dryRun = dryRunOf(flags);
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
