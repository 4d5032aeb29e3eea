// When a part of the installation is there, as an expression of Helm's templates. The constructs decide what an
// installation has; here the simplest condition on the values is found that tells the installations with the part from
// those without it.

import type { KindName } from '../kinds/kind-name.ts';
import { KINDS } from '../kinds/kinds.ts';

/** What changes which objects and fields there are. */
export interface Profile {
  readonly webhooks: boolean;
  readonly certManager: boolean;
  readonly namespaces: boolean;
  readonly serviceMonitor: boolean;
  readonly defaultSpread: boolean;
  readonly shards: boolean;
  readonly kinds: readonly KindName[];
}

type Switch = Exclude<keyof Profile, 'kinds'>;

const SWITCHES: Readonly<Record<Switch, string>> = {
  webhooks: '$.Values.webhooks',
  certManager: '(eq $.Values.certificates "cert-manager")',
  namespaces: '$.Values.namespaces',
  serviceMonitor: '$.Values.serviceMonitor',
  defaultSpread: '$.Values.defaultSpread',
  shards: '(gt (int $.Values.shards) 1)',
};

interface Expression {
  readonly text: string;
  holds(profile: Profile): boolean;
}

const LITERALS: readonly Expression[] = Object.entries(SWITCHES).flatMap(([name, text]) => [
  { text, holds: (profile: Profile) => profile[name as Switch] },
  { text: `(not ${text})`, holds: (profile: Profile) => !profile[name as Switch] },
]);
const ALWAYS: Expression = { text: '', holds: () => true };
/** The simplest first. */
const EXPRESSIONS: readonly Expression[] = [ALWAYS, ...LITERALS, ...pairs(both), ...pairs(either)];

/** The condition that holds for all of `among` that are in `present`, and for no other of them; empty for always. */
export function conditionFor(present: ReadonlySet<Profile>, among: ReadonlySet<Profile>): string {
  const ofKinds = [ALWAYS, ...kindExpressions(present)];
  const candidates = ofKinds.flatMap((ofKind) => EXPRESSIONS.map((each) => both(each, ofKind)));
  const fits = ({ holds }: Expression): boolean =>
    [...among].every((profile) => holds(profile) === present.has(profile));
  const found = candidates.find(fits);
  if (found === undefined) throw new Error(`no simple condition tells ${present.size} of ${among.size} profiles apart`);
  return found.text.replace(/^\((.*)\)$/, '$1');
}

/** A part is there for any of the kinds that bring it about by themselves, or for want of all the others. */
function kindExpressions(present: ReadonlySet<Profile>): Expression[] {
  const alone = new Set([...present].flatMap(({ kinds }) => (kinds.length === 1 ? kinds : [])));
  if (alone.size === 0) return [];
  const names = Object.keys(KINDS) as KindName[];
  const others = anyOf(names.filter((name) => !alone.has(name)));
  return [
    anyOf(names.filter((name) => alone.has(name))),
    { text: `(not ${others.text})`, holds: (profile) => !others.holds(profile) },
  ];
}

function anyOf(names: readonly KindName[]): Expression {
  const tests = names.map((name) => `(has "${name}" $.Values.kinds)`);
  return {
    text: tests.length === 1 ? (tests[0] ?? '') : `(or ${tests.join(' ')})`,
    holds: ({ kinds }) => kinds.some((name) => names.includes(name)),
  };
}

function both(one: Expression, other: Expression): Expression {
  if (one === ALWAYS) return other;
  if (other === ALWAYS) return one;
  return {
    text: `(and ${one.text} ${other.text})`,
    holds: (profile) => one.holds(profile) && other.holds(profile),
  };
}

function either(one: Expression, other: Expression): Expression {
  return {
    text: `(or ${one.text} ${other.text})`,
    holds: (profile) => one.holds(profile) || other.holds(profile),
  };
}

function pairs(join: (one: Expression, other: Expression) => Expression): Expression[] {
  return LITERALS.flatMap((one, index) => LITERALS.slice(index + 1).map((other) => join(one, other)));
}
