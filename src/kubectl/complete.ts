// `kubectl-md __complete WORD...`: prints what may follow, one a line, and a last line that tells the shell not to offer
// files. It prints no errors, because a shell that completes cannot show them.

import { parseArgs } from 'node:util';
import { myDeployments } from '../kinds/my-deployment/names.ts';
import { deployments } from '../runtime/built-in.ts';
import type { Resource } from '../runtime/resource.ts';
import { Flags } from './arguments.ts';
import { type Answer, type Candidate, candidatesFor } from './candidates.ts';
import { type Environment, openSession, type Session } from './session.ts';
import type { Console } from './terminal/console.ts';

/** The last line of an answer, as Cobra and so kubectl expect it: whether the shell should offer files. */
const FILES = ':0';
const NO_FILES = ':4';
const PATIENCE_MS = 2_000;

export async function complete(words: readonly string[], console: Console, env: Environment): Promise<number> {
  const answer = candidatesFor(words);
  const candidates = await find(answer, words, env).catch((): Candidate[] => []);
  const lines = candidates.map(({ word, summary }) => (summary === undefined ? word : `${word}\t${summary}`));
  console.out.write(`${[...lines, answer.from === 'files' ? FILES : NO_FILES].join('\n')}\n`);
  return 0;
}

async function find(answer: Answer, words: readonly string[], env: Environment): Promise<readonly Candidate[]> {
  if (answer.from === 'files') return [];
  if (answer.from === 'table') return answer.candidates;
  const session = await openSession(sessionFlags(words), env);
  try {
    const names = await Promise.all(answer.prefixes.map((prefix) => namesWith(session, prefix)));
    const typed = words.at(-1) ?? '';
    const given = new Set(words.slice(0, -1));
    return names.flat().filter(({ word }) => word.startsWith(typed) && !given.has(word));
  } finally {
    await session.close();
  }
}

async function namesWith({ client, namespace }: Session, prefix: '' | 'md/' | 'deployment/'): Promise<Candidate[]> {
  const resource: Resource = prefix === 'deployment/' ? deployments : myDeployments;
  const { items } = await client.list(resource, { namespace, timeoutMs: PATIENCE_MS, attempts: 1 });
  return items.map(({ metadata }) => ({ word: `${prefix}${metadata.name}` }));
}

/** The flags of the line that select the cluster and the namespace. */
function sessionFlags(words: readonly string[]): Flags {
  const text = { type: 'string' } as const;
  const options = { namespace: { ...text, short: 'n' }, context: text, kubeconfig: text, as: text };
  const { values } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true });
  const given = Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return new Flags(new Map(given.map(([name, value]) => [name, [value]])));
}
