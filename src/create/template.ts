// Makes files of the templates: they are a working project for the kind StaticSite of the operator acme, which is compiled and tested
// here, so all there is to do is to replace these names by others.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTypeName, type Subject, TEMPLATE } from './names.ts';

/** Content by path. */
export type Files = ReadonlyMap<string, string>;

/** The folder of this package. From sources and from what is published alike: it is two folders above this code. */
export const HOME = fileURLToPath(new URL('../../', import.meta.url));
const TEMPLATES = join(HOME, 'templates');

/** npm leaves out or renames files of these names, so the templates have them without the dot. */
const DOTTED = ['gitignore', 'dockerignore'];

/** The files of a template, or those of them below one of these paths, for this subject. */
export function filesOf(template: string, subject: Subject, below: readonly string[] = ['']): Files {
  const root = join(TEMPLATES, template);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)).sort();
  const wanted = paths.filter((path) => below.some((start) => path.startsWith(start)));
  return new Map(
    wanted.map((path) => [renamed(replaced(path, subject)), replaced(readFileSync(join(root, path), 'utf8'), subject)]),
  );
}

function renamed(path: string): string {
  return DOTTED.includes(path) ? `.${path}` : path;
}

/** The text with the names of the subject in place of those of the template. */
export function replaced(text: string, subject: Subject): string {
  const words = new Map(wordsOf(TEMPLATE).map((word, index) => [word, wordsOf(subject)[index] as string]));
  const longestFirst = [...words.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(longestFirst.map((word) => word.replaceAll('.', '\\.')).join('|'), 'g');
  return text.replace(pattern, (word) => words.get(word) as string);
}

function wordsOf({ operator, group, version, nextVersion = TEMPLATE.nextVersion, names }: Subject): string[] {
  return [
    nextVersion,
    group,
    names.plural,
    names.camelPlural,
    names.kind,
    names.camel,
    names.file,
    names.singular,
    version,
    inTypeName(version),
    operator,
  ];
}

/** What a module of the template imports from the package, or exports; and its constants, if it imports the resource of the kind. */
const IMPORTS = /^import [^;]*? from 'mydeployment\/[^;]*;/gms;
const EXPORTS = /^export (?:interface|function|const) \w+/gm;
const CONSTANTS = /\bconst (?:\w+|[{[][^=]*[}\]]) =/g;

/** A kind may not be called like something in the code of the template: it would not compile. */
export function refuseClash(files: Files, { kind, camelPlural }: Subject['names']): void {
  const statements = [...files.values()].flatMap((text) => [
    ...(text.match(IMPORTS) ?? []),
    ...(text.match(EXPORTS) ?? []),
    ...(text.includes(TEMPLATE.names.camelPlural) ? (text.match(CONSTANTS) ?? []) : []),
  ]);
  const words = statements.flatMap((statement) => statement.match(/\w+/g) ?? []);
  const taken = new Set(words.filter((word) => !word.toLowerCase().includes(TEMPLATE.names.singular)));
  const clash = [kind, camelPlural].find((name) => taken.has(name));
  if (clash !== undefined) throw new Error(`--kind: the code of the template needs the name ${clash} for itself`);
}

/** What is there was perhaps changed by its author. */
export function refuseExisting(files: Files, root: string): void {
  const there = [...files.keys()].map((path) => join(root, path)).filter((path) => existsSync(path));
  if (there.length > 0) throw new Error(`there already, and not overwritten: ${there.join(', ')}`);
}

/** Writes files that are not there yet; if one is, it writes none. */
export function writeNew(files: Files, root: string): void {
  refuseExisting(files, root);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
