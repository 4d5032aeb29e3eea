// Reads our own sources as data – which file imports which, and what it says – so that tests can hold the architecture
// to its rules. Works on a map of path to text, so that a test can plant a violation without touching the disk.

import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Text of every TypeScript file, by its path from the repository's root. */
export type SourceTree = ReadonlyMap<string, string>;

export interface Import {
  /** The path in the tree for our own files, the bare name for packages and `node:` modules. */
  readonly target: string;
  /** Erased before anything runs, so it can neither do I/O nor create a cycle. */
  readonly typeOnly: boolean;
  /** An `import()`: runs when it is called, not when its file is imported. */
  readonly onDemand: boolean;
}

/** Every `.ts` and `.tsx` file below `folder`. */
export function readSources(folder: string): SourceTree {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  return new Map(files.map((file) => [posix.join(folder, file), readFileSync(join(folder, file), 'utf8')]));
}

const IMPORT = /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

/** The imports of one file. An import whose names are all marked `type` counts as type-only too. */
export function importsOf(path: string, source: string): Import[] {
  return [...stripComments(source).matchAll(IMPORT)].map((match) => {
    const specifier = (match[2] ?? match[3]) as string;
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
    return { target, typeOnly: match[1] !== undefined || onlyTypes(match[0]), onDemand: match[3] !== undefined };
  });
}

/** `path` and every file of ours that runs when it is imported. */
export function runsWith(path: string, tree: SourceTree, seen = new Set<string>()): Set<string> {
  const source = tree.get(path);
  if (source === undefined || seen.has(path)) return seen;
  seen.add(path);
  for (const { target, typeOnly, onDemand } of importsOf(path, source)) {
    if (!typeOnly && !onDemand) runsWith(target, tree, seen);
  }
  return seen;
}

/** Code without comments, whose words are free. Strings stay: none of ours holds a comment mark after a space. */
export function stripComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
}

function onlyTypes(statement: string): boolean {
  const names = /\{([^}]*)\}/
    .exec(statement)?.[1]
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const besideBraces = /^\s*(?:import|export)\s+\w/.test(statement);
  return !besideBraces && names !== undefined && names.length > 0 && names.every((name) => name.startsWith('type '));
}
