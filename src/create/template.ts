// Makes files of the templates: they are a working project for the kind StaticSite of the operator acme, which is compiled and tested
// here, so all there is to do is to replace these names by others.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTypeName, type Subject, TEMPLATE } from './names.ts';

/** Content by path. */
export type Files = ReadonlyMap<string, string>;

/** From sources and from the package alike: both have the templates two folders above this code. */
const TEMPLATES = fileURLToPath(new URL('../../templates/', import.meta.url));

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

/** A kind may not be called like something that the template imports: the code would not compile. */
export function refuseClash(files: Files, { kind, camelPlural }: Subject['names']): void {
  const imports = [...files.values()].flatMap(
    (text) => text.match(/^import [^;]*? from 'mydeployment\/[^;]*;/gms) ?? [],
  );
  const imported = new Set(imports.flatMap((statement) => statement.match(/\w+/g) ?? []));
  const clash = [kind, camelPlural].find((name) => imported.has(name));
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
