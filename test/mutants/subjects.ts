// What is mutated, and which tests have to notice: the code of runtime, workload, policy and kinds that is pure by the rule of
// the architecture test, and a few files that keep state but take their clock and their chance as arguments.

import { purityViolations } from '../support/architecture-rules.ts';
import { runsWith, type SourceTree } from '../support/source-tree.ts';

const LAYERS = /^src\/(?:kinds|policy|runtime|workload)\//;

/** Declarations: the API server and the tests of the generated files judge them, not unit tests. */
const DECLARATIONS =
  /\.gen\.ts$|\/(?:built-in|names|permissions|replicas-schema|rules|schema|status-schema|template-schema|webhook|write-context)\.ts$/;

/** Not pure to the letter: they hand out promises, default to a random number or load a hash, and unit tests run them to the end. */
const ALSO = [
  'src/runtime/controller/result.ts',
  'src/runtime/events/correlator.ts',
  'src/runtime/queue/queue.ts',
  'src/runtime/webhook/turns.ts',
  'src/workload/pod-cache.ts',
  'src/workload/slow-start.ts',
  'src/workload/trim.ts',
];

/** The files to mutate, by path. */
export function subjectsOf(sources: SourceTree): readonly string[] {
  const isSubject = (path: string): boolean =>
    ALSO.includes(path) ||
    (LAYERS.test(path) && !DECLARATIONS.test(path) && purityViolations(sources, [path]).length === 0);
  return [...sources.keys()].filter(isSubject).sort();
}

/** Properties that run for seconds. Each mutant that survives would run them; what they find, quick tests have to pin down. */
const LONG = /\/(?:economy|interleavings|(?:policy-)?simulation)\.test\.ts$/;
const UNIT_TEST = /^test\/(?:kinds|policy|runtime|workload)\/.*(?<!\.cluster)\.test\.ts$/;
/** At the beginning of a line: a file that has to wait while it loads cannot be run as a function. */
const WAITS = /^(?:const .*)?\bawait /m;
/** Spies come from Jest itself, which does not run here. */
const SPIES = /\bjest\.\w/;

/** The unit tests of these layers that load one of the subjects. */
export function testsOf(subjects: readonly string[], everything: SourceTree): readonly string[] {
  return [...everything]
    .filter(([path, text]) => UNIT_TEST.test(path) && !LONG.test(path) && !WAITS.test(text) && !SPIES.test(text))
    .map(([path]) => path)
    .filter((path) => [...runsWith(path, everything)].some((file) => subjects.includes(file)))
    .sort();
}
