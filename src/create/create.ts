// `mydeployment create`: a project for an operator, and in a project further kinds, webhooks and versions of a kind. It writes only files
// that are not there, and changes only lines that are as it wrote them.

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { dependencyOn } from './dependency.ts';
import { groupName, kindNames, operatorName, type Subject, TEMPLATE, versionName } from './names.ts';
import { type Edit, edited, projectIn } from './project.ts';
import { type Files, filesOf, HOME, refuseClash, refuseExisting, writeNew } from './template.ts';
import { schemaModule, versionsIn } from './version.ts';

/** What was made, and what to do next. */
export interface Created {
  readonly files: readonly string[];
  readonly next: readonly string[];
}

interface Flags {
  readonly group?: string;
  readonly kind?: string;
  readonly version?: string;
  readonly plural?: string;
}

/** A command line that cannot be executed; the usage is printed with the reason. */
export class Misuse extends Error {}

/** Executes the command line behind `create`, in the folder `root`. */
export function create(args: readonly string[], root: string): Created {
  const { positionals, values } = parse(args);
  const [what, name, ...more] = positionals;
  if (more.length > 0) throw new Misuse(`too many words: ${more.join(' ')}`);
  switch (what) {
    case 'operator':
      return createOperator(operatorName(needed('NAME', name)), values, root);
    case 'kind':
      return createKind(values, root);
    case 'webhook':
      return createWebhook(values, root);
    case 'version':
      return createVersion(values, root);
    default:
      throw new Misuse(`there is nothing to create called ${JSON.stringify(what ?? '')}`);
  }
}

function parse(args: readonly string[]): { readonly positionals: readonly string[]; readonly values: Flags } {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { group: text, kind: text, version: text, plural: text },
    });
  } catch (error) {
    throw new Misuse((error as Error).message);
  }
}

function createOperator(operator: string, flags: Flags, root: string): Created {
  const files = new Map(filesOf('operator', subjectOf(operator, needed('--group', flags.group), flags)));
  const folder = resolve(root, operator);
  const dependency = dependencyOn(HOME, folder);
  if (dependency !== undefined) {
    const asked = /(?<="mydeployment": )"\^[^"]*"/;
    files.set('package.json', (files.get('package.json') ?? '').replace(asked, JSON.stringify(dependency)));
  }
  writeNew(files, folder);
  return {
    files: [...files.keys()].map((path) => join(operator, path)),
    next: [`cd ${operator}`, 'make test', 'make run'],
  };
}

const KIND_FILES = ['src/kinds/', 'samples/', 'test/static-site/'];

function createKind(flags: Flags, root: string): Created {
  const { operator, group } = projectIn(root);
  const subject = subjectOf(operator, flags.group ?? group, flags);
  const { camel, file } = subject.names;
  return writeProject(root, filesOf('operator', subject, KIND_FILES), [
    {
      file: 'src/kinds.ts',
      from: /(?=\nexport const KINDS)/,
      to: `import { ${camel}Kind } from './kinds/${file}/kind.ts';\n`,
    },
    { file: 'src/kinds.ts', from: /(KINDS: readonly Kind\[\] = \[[^\]]*?),?\s*\]/, to: `$1, ${camel}Kind]` },
  ]);
}

function createWebhook(flags: Flags, root: string): Created {
  const { operator, group } = projectIn(root);
  const subject = subjectOf(operator, group, flags);
  const file = `src/kinds/${subject.names.file}/kind.ts`;
  return writeProject(root, filesOf('webhook', subject), [
    { file, from: 'admission: []', to: "admission: ['mutate', 'validate']" },
    {
      file,
      from: 'handlers: async () => ({})',
      to: `handlers: async () => (await import('./webhook.ts')).${subject.names.camel}Webhooks`,
    },
  ]);
}

function createVersion(flags: Flags, root: string): Created {
  const { operator, group } = projectIn(root);
  const nextVersion = versionName(needed('--version', flags.version));
  const names = kindNames(needed('--kind', flags.kind));
  const { stored, others } = versionsIn(root, names);
  const version = stored.name;
  if ([version, ...others].includes(nextVersion)) {
    throw new Error(
      `--version: ${names.kind} has ${nextVersion} already; its versions are ${[version, ...others].join(', ')}`,
    );
  }
  const folder = `src/kinds/${names.file}`;
  const templates = filesOf('version', { operator, group, version, nextVersion, names });
  // Types come with the next `make generate`.
  const files = new Map([...templates].filter(([path]) => !path.endsWith('.gen.ts')));
  files.set(`${folder}/${version}.schema.ts`, schemaModule(stored));
  const file = `${folder}/schema.ts`;
  const created = writeProject(root, files, [
    { file, from: `version: '${version}'`, to: `version: '${nextVersion}'` },
    {
      file,
      from: /(?=import type \{[^}]*\} from '\.\/types\.gen\.ts';)/,
      to: `import { ${version} } from './${version}.ts';\n`,
    },
    readFileSync(join(root, file), 'utf8').includes('otherVersions: [')
      ? { file, from: 'otherVersions: [', to: `otherVersions: [${version}, ` }
      : { file, from: /(?=\n {2}singular: )/, to: `\n  otherVersions: [${version}],` },
  ]);
  return {
    ...created,
    next: [
      'make generate',
      `edit the fields in ${file}, and what becomes of them in ${folder}/${version}.ts`,
      'make test',
    ],
  };
}

/** Writes new files and edits; nothing, if one of them is not possible. */
function writeProject(root: string, files: Files, edits: readonly Edit[]): Created {
  refuseExisting(files, root);
  const changed = edited(root, edits);
  writeNew(files, root);
  for (const [path, text] of changed) writeFileSync(join(root, path), text);
  return { files: [...files.keys(), ...changed.keys()], next: ['make test'] };
}

function subjectOf(operator: string, group: string, { kind, version, plural }: Flags): Subject {
  const names = kindNames(needed('--kind', kind), plural);
  refuseClash(filesOf('operator', TEMPLATE, ['src/']), names);
  return { operator, group: groupName(group), version: versionName(version ?? TEMPLATE.version), names };
}

function needed(what: string, value: string | undefined): string {
  if (value === undefined) throw new Misuse(`${what} is missing`);
  return value;
}
