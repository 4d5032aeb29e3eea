// A project that `create operator` has made: whose it is, and edits of files that its author may have changed meanwhile.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Project {
  readonly operator: string;
  readonly group: string;
}

/** The project in this folder; throws when there is none. */
export function projectIn(root: string): Project {
  const file = join(root, 'package.json');
  const { mydeployment } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  if (mydeployment === undefined) {
    throw new Error('not in a project: create one with `mydeployment create operator NAME --group GROUP --kind KIND`');
  }
  return mydeployment;
}

/** A change of one place in a file, and what to tell the author when the place is not as the template had it. */
export interface Edit {
  readonly file: string;
  readonly from: string | RegExp;
  readonly to: string;
}

/** The files after the edits; throws, with what to do by hand, when a place is not found. */
export function edited(root: string, edits: readonly Edit[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { file, from, to } of edits) {
    const text = texts.get(file) ?? read(join(root, file));
    const next = text.replace(from, to);
    if (next === text) throw new Error(`${file} is not as it was created; please write there: ${to.trim()}`);
    texts.set(file, next);
  }
  return texts;
}

function read(file: string): string {
  if (!existsSync(file)) throw new Error(`there is no ${file}`);
  return readFileSync(file, 'utf8');
}
