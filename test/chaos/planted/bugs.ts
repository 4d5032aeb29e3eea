// Defects that people really make, each as the smallest change of our sources that plants it. The campaign has to catch
// every one of them, or it is too weak to be believed when it finds nothing. They exist in test builds only (build.ts).

import type { Hunt } from '../simulation/hunt.ts';

export interface Edit {
  readonly file: string;
  /** Must be there exactly once, or the build fails: a defect that is not planted would count as not caught. */
  readonly find: string;
  readonly put: string;
}

export interface PlantedBug {
  readonly name: string;
  /** Which schedules it is looked for in. @default leader */
  readonly about?: Hunt['about'];
  readonly edits: readonly Edit[];
}

const ATTEMPT = 'src/kinds/my-deployment/plan/attempt.ts';
const COURSE = 'src/kinds/my-deployment/plan/course.ts';
const CHANGE_IN_PLACE = 'src/workload/in-place/pod-change.ts';
const FINISH_IN_PLACE = 'src/workload/in-place/finish.ts';
const POD = 'src/workload/pod.ts';
const POD_OWNER = 'src/workload/pod-owner.ts';
const DEFAULTS = 'src/kinds/my-deployment/defaults.ts';
const HISTORY = 'src/kinds/my-deployment/plan/history.ts';
const OWNERSHIP = 'src/kinds/my-deployment/plan/ownership.ts';
const PLAN = 'src/kinds/my-deployment/plan/plan.ts';
const RECONCILING = 'src/kinds/my-deployment/plan/reconciling.ts';
const REFLECTOR = 'src/runtime/cache/reflector.ts';
const POD_WRITES = 'src/workload/pod-writes.ts';
const RUNTIME_CONTROLLER = 'src/runtime/controller/controller.ts';
const TENURE = 'src/runtime/leader-election/tenure.ts';
const SHARDED = 'src/runtime/operator/sharded.ts';

/** A clock for durations that people set. */
const byWallClock = (wallNow: string): string =>
  `{ now: ${wallNow}, after: (delayMs, callback) => clock.after(delayMs, callback) }`;

export const plantedBugs: readonly PlantedBug[] = [
  one('acts before the cache shows its own writes', POD_OWNER, 'if (waiting !== undefined) return waiting;', ''),
  one(
    'replaces a lost pod by the newest template',
    PLAN,
    'source: podSource(rollout, revision),',
    'source: podSource(rollout, revisions.at(-1) ?? revision),',
  ),
  one('surges by one too many', DEFAULTS, '0 ? 0 : replicas + maxSurge;', '0 ? 0 : replicas + maxSurge + 1;'),
  one(
    'counts pods that are merely there as available',
    'src/kinds/my-deployment/plan/rolling.ts',
    'all.reduce((sum, { available }) => sum + available, 0)',
    'all.reduce((sum, { desired }) => sum + desired, 0)',
  ),
  one(
    'tells in its status what it plans instead of what is',
    'src/kinds/my-deployment/plan/status.ts',
    'replicas: sum(revisions, ({ active }) => active.length),',
    'replicas: sum(revisions, (revision) => sizeOf(sizes, revision)),',
  ),
  one(
    'says that it reconciles when all is done',
    RECONCILING,
    '=== undefined ? kept :',
    '=== undefined ? conditions :',
  ),
  one(
    'says that it reconciles and is stalled',
    RECONCILING,
    '(rest, type) => removeCondition(rest, type)',
    '(rest) => rest',
  ),
  one(
    'adopts without asking whether the owner lives',
    'src/workload/claim-writes.ts',
    "if (actions.some((action) => action.do !== 'releasePod')) await assertOwnerLives(context);",
    '',
  ),
  one(
    'counts terminating pods as active',
    'src/workload/pod.ts',
    'return !isTerminal(pod) && pod.metadata.deletionTimestamp === undefined;',
    'return !isTerminal(pod);',
  ),
  one(
    'goes on working for an owner that is being deleted',
    PLAN,
    'if (snapshot.object.metadata.deletionTimestamp !== undefined) return report(rollout);',
    '',
  ),
  one('resumes a watch from the present', REFLECTOR, 'resourceVersion: this.#version as string,', ''),
  one(
    'does not begin anew when its version has expired',
    REFLECTOR,
    "if (isApiError(error, 'Gone')) this.#version = undefined;",
    '',
  ),
  one(
    'starts from a list of any age',
    'src/runtime/cache/fill.ts',
    "resourceVersionMatch: 'NotOlderThan',",
    "resourceVersionMatch: 'NotOlderThan', resourceVersion: '0',",
  ),
  one('misses deletions', REFLECTOR, 'sink.remove(prepare(event.object));', 'sink.progress(resourceVersion);'),
  one(
    'plans before its caches are fresh after a take-over',
    'src/runtime/controller/sources.ts',
    'catchUp: () => source.catchUp(),',
    'catchUp: () => source.synced,',
  ),
  one(
    'takes a cache for fresh that lacks what it has not heard of',
    'src/runtime/cache/freshness.ts',
    'kept.length === inventory.versions.size && ',
    '',
  ),
  one('waits for ever for a watch that has lost its server', REFLECTOR, '_SILENCE_MS = 40_000;', '_SILENCE_MS = 1e9;'),
  one(
    'drops a key after an error',
    'src/runtime/controller/workers.ts',
    "const retryInMs = queue.addRateLimited(key, priority);\n        log.error('reconcile failed'",
    "const retryInMs = 0;\n        log.error('reconcile failed'",
  ),
  one(
    'loses a key that is added while in work',
    'src/runtime/queue/queue.ts',
    'if (this.#inWork.has(key)) this.#again.set(key, priority);',
    'if (this.#inWork.has(key)) return;',
  ),
  {
    name: 'takes a lost answer for a refusal',
    edits: [
      { file: POD_WRITES, find: 'isTaken || isUnsure(error) ? await', put: 'isTaken ? await' },
      {
        file: POD_WRITES,
        find: 'else if (found === undefined && isUnsure(error)) writes.perhapsCreated(pods, name, source.hash);',
        put: '',
      },
    ],
  },
  one(
    'goes by a record that it may have overwritten',
    'src/runtime/consistency/owner-writes.ts',
    "    this.#unconfirmed({ write: 'update', resource, name });\n",
    '',
  ),
  one(
    'goes on expecting pods that it never asked for',
    POD_WRITES,
    'for (const pod of expected) if (!tried.has(pod)) writes.notCreated(pod.name);',
    '',
  ),
  one(
    'raises counts before it lowers others',
    'src/kinds/my-deployment/plan/record-sizes.ts',
    'growth(sizes, one) - growth(sizes, other)',
    'growth(sizes, other) - growth(sizes, one)',
  ),
  one('forgets revisions that have pods', HISTORY, '=== 0 && revision.living.length === 0)', '>= 0)'),
  one(
    'numbers revisions by how many there are',
    'src/kinds/my-deployment/plan/snapshot.ts',
    'const highest = Math.max(0, ...oldRevisions(rollout).map(({ number }) => number));',
    'const highest = oldRevisions(rollout).length;',
  ),
  one(
    'recreates while old pods still run',
    'src/kinds/my-deployment/plan/recreate.ts',
    'some(({ living }) => living.length > 0)',
    'some(({ active }) => active.length > 0)',
  ),
  one(
    'makes pods without an owner',
    'src/workload/build-pod.ts',
    'ownerReferences: [controllerReference(owner)],\n    },\n    spec',
    '},\n    spec',
  ),
  {
    name: "takes other controllers' pods",
    edits: [
      {
        file: 'src/workload/pod-cache.ts',
        find: 'controllerOf(object) === undefined && object.metadata.namespace !== undefined',
        put: 'object.metadata.namespace !== undefined',
      },
      {
        file: 'src/workload/claim.ts',
        find: 'controller === undefined && alive(object)',
        put: 'controller?.uid !== uid && alive(object)',
      },
    ],
  },
  {
    name: 'takes pods that users made',
    edits: [
      { file: OWNERSHIP, find: ' && carriesHash(pod),', put: ',' },
      { file: OWNERSHIP, find: 'isMarked: (pod) => recordOf(pod) !== undefined,', put: 'isMarked: () => true,' },
    ],
  },
  one(
    'makes another pod when admission has changed one',
    POD_WRITES,
    'const lost = lostOnAdmission(made, pod, source);',
    'const lost = undefined;',
  ),
  one(
    'leaves pods where they are that admission has changed',
    POD_WRITES,
    '  writes.addMisfit(misfit);\n  throw (await removeMisfit(context, misfit)) ?? new Error(why);',
    '  throw new Error(misfit.why);',
  ),
  one(
    'waits for a claim that is refused',
    'src/workload/claim-writes.ts',
    "if (!isApiError(error, 'BadRequest', 'Forbidden', 'Invalid', 'Other')) return",
    'if (error !== undefined) return',
  ),
  one(
    'renews its conditions whenever it looks',
    'src/runtime/conditions.ts',
    'if (known?.status === update.status && known.reason === update.reason) return conditions;',
    '',
  ),
  one(
    'takes a pod away that has become ready since',
    'src/workload/pod-diff.ts',
    "isShort && !isServing(pod) ? 'if unchanged' : 'in any case'",
    "'in any case'",
  ),
  one(
    'holds on to a decision that pods have overtaken',
    'src/kinds/my-deployment/plan/keep-min-available.ts',
    'if (staying <= 0) return revisions;',
    'return revisions;',
  ),
  one(
    'scales down by share, whichever pods serve',
    PLAN,
    'keepNeeded(rollout, capped(',
    '((_: object, sizes: Sizes) => sizes)(rollout, capped(',
  ),
  one('rolls out while paused', PLAN, 'if (rollout.spec.paused) return resize(rollout);', ''),
  one(
    'takes ready pods for available ones',
    'src/workload/pod.ts',
    'if (minReadySeconds <= 0) return isReady(pod);',
    'if (minReadySeconds < 1e9) return isReady(pod);',
  ),
  one(
    'measures its pace by the wall clock',
    RUNTIME_CONTROLLER,
    'new Pacer(clock,',
    `new Pacer(${byWallClock('wallNow')},`,
  ),
  one(
    'delays keys by the wall clock',
    RUNTIME_CONTROLLER,
    'new WorkQueue({ clock,',
    `new WorkQueue({ clock: ${byWallClock('wallNow')},`,
  ),
  one(
    'waits for a date without looking at the wall clock again',
    'src/runtime/controller/attempt.ts',
    'Math.min(result.epochMs - this.#wallNow(), LONGEST_BLIND_WAIT_MS)',
    'result.epochMs - this.#wallNow()',
  ),
  one('remembers owners that are gone', POD_OWNER, '    this.#tracker.forget(key);\n', ''),
  {
    name: 'forgets an owner before its last answers have come',
    edits: [
      { file: POD_OWNER, find: 'return this.#forget(key);', put: 'return done;' },
      {
        file: POD_OWNER,
        find: '    this.pods.onChange((change) =>',
        put: "    this.objects.onChange(({ type, object }) => type === 'deleted' && this.#forget(keyOf(object.metadata)));\n    this.pods.onChange((change) =>",
      },
    ],
  },
  {
    name: 'lets every object wait for the failures of others',
    edits: [
      { file: 'src/runtime/queue/queue.ts', find: 'const FREE_RETRIES = 1;', put: 'const FREE_RETRIES = 0;' },
      {
        file: 'src/runtime/queue/fair-line.ts',
        find: "return key.slice(0, Math.max(0, key.indexOf('/')));",
        put: "return '';",
      },
    ],
  },
  one(
    'starts back-off over whenever it has to wait',
    'src/runtime/consistency/await-cache.ts',
    'notYet(0)',
    "({ next: 'checkAgainAfter', delayMs: 0 })",
  ),
  one(
    'judges a rollout that was completed long ago',
    COURSE,
    'update?.attempt.completed === number\n        ? update.name\n        : stableOf(',
    'stableOf(',
  ),
  one(
    'gives a step all replicas',
    'src/policy/steps.ts',
    'Math.min(Math.ceil(scaledValue(wanted, replicas)), replicas - 1)',
    'Math.ceil(scaledValue(wanted, replicas)) + 1',
  ),
  one(
    'leaves a step before its pods are available',
    'src/kinds/my-deployment/plan/situation.ts',
    'return update.desired >= count && update.available >= count;',
    'return update.desired >= count;',
  ),
  one(
    'lets any promotion act',
    ATTEMPT,
    'promote?.number === course.number && promote.step === record.step',
    'promote !== undefined',
  ),
  one('lets any abort act', ATTEMPT, 'abort?.number === course.number', 'abort !== undefined'),
  one(
    'steps and goes back although the update is the stable revision',
    ATTEMPT,
    'if (course.stable === update.name) return atStable(rollout, course);',
    '',
  ),
  one(
    'scales steps by share',
    PLAN,
    'if (attempt.targets !== undefined) return advance(',
    'if (attempt.targets !== undefined && !isScalingEvent(rollout)) return advance(',
  ),
  one(
    'exceeds its step while paused',
    'src/kinds/my-deployment/plan/cap.ts',
    'if (!spec.paused || course.policy',
    'if (spec.paused || course.policy',
  ),
  one(
    'starts the clock of a step before its pods are there',
    ATTEMPT,
    'if (!isStepReached(situation)) return inStep(situation);',
    '',
  ),
  one(
    'sets the clock of a step again and again',
    ATTEMPT,
    'if (record.since === undefined) return',
    'if (rollout.now > 0) return',
  ),
  one(
    'goes on although its policy is not accepted',
    ATTEMPT,
    'if (refusal !== undefined) {',
    "if (refusal?.reason === 'TargetNotFound') {",
  ),
  one(
    'counts terminating pods in no case',
    'src/kinds/my-deployment/plan/termination.ts',
    "!== 'TerminationComplete') return 0;",
    "!== 'Never') return 0;",
  ),
  one(
    'counts the pods of a zone only once',
    'src/workload/fullest-first.ts',
    '      sizes.set(fullest.name, sizeOf(fullest) - 1);\n',
    '',
  ),
  one('counts a pod that is being changed as available', POD, 'if (isBeingChanged(pod)) return undefined;', ''),
  one(
    'takes a change in place for done when the kubelet has seen it',
    FINISH_IN_PLACE,
    "([name, { id }]) => ![id, ''].includes(noted(pod, name).id)",
    '() => true',
  ),
  one(
    'moves labels without images',
    CHANGE_IN_PLACE,
    '...(images.length > 0 && { spec: { containers: images } }),',
    '',
  ),
  one(
    'resizes a pod before anything says so',
    CHANGE_IN_PLACE,
    'patches: [{ body }, ...(resize ? [resize] : [])]',
    'patches: [...(resize ? [resize] : []), { body }]',
  ),
  one(
    'changes pods in place although none may be unavailable',
    'src/kinds/my-deployment/plan/in-place.ts',
    'asksForInPlace(rollout) && rollout.limits.maxUnavailable > 0 &&',
    'asksForInPlace(rollout) &&',
  ),
  one(
    'leaves a pod out of its Services that was to be changed',
    FINISH_IN_PLACE,
    'if (record?.changed === undefined) return',
    'if (record?.at !== undefined && record.changed === undefined) return;\n  if (record?.changed === undefined) return',
  ),
  one(
    'changes a pod again while its kubelet is at work',
    CHANGE_IN_PLACE,
    "if (isUnsettled(pod)) return { is: 'waiting' };",
    '',
  ),
  one(
    'waits for ever for a resize that its node has refused',
    FINISH_IN_PLACE,
    'if (stuck !== undefined) return impossible(stuck);',
    '',
  ),
  one(
    'takes whatever somebody has written on a pod for a record of its own',
    'src/workload/in-place/record.ts',
    '    containers !== null &&\n    Object.values(containers)',
    '    Object.values(containers ?? {})',
  ),
  sharing(
    'takes a range whose holder lives',
    edit(
      'src/runtime/shards/lease-book.ts',
      '...observe(this.#entries.get(name), lease.spec ?? {}, now), lease }',
      'seenAt: this.#entries.get(name)?.seenAt ?? now, record: lease.spec ?? {}, lease }',
    ),
  ),
  sharing(
    'writes on after its lease has run out',
    edit(TENURE, "if (!this.held) throw new LeadershipLost('not the leader');", ''),
    edit(TENURE, 'fence: Fence = {\n    signal: this.#over.signal,', 'fence: Fence = {'),
  ),
  sharing(
    'leaves a gap between ranges',
    edit('src/runtime/shards/range.ts', 'end: startOf(index + 1) }));', 'end: startOf(index + 1) - 2n ** 61n }));'),
  ),
  sharing(
    'lets ranges overlap',
    edit(
      'src/runtime/shards/range.ts',
      'return start <= hash && hash < end;',
      'return start <= hash && hash < end + 2n ** 61n;',
    ),
  ),
  sharing(
    'plans for a range before its cache is fresh',
    edit('src/runtime/operator/parts.ts', 'ready: () => cache.waitForSync(never),', ''),
    edit('src/runtime/controller/sources.ts', 'catchUp: () => source.catchUp(),', 'catchUp: async () => {},'),
  ),
  sharing(
    'fills the cache of a range from a list of any age',
    edit(
      'src/runtime/cache/fill.ts',
      "resourceVersionMatch: 'NotOlderThan',",
      "resourceVersionMatch: 'NotOlderThan', resourceVersion: '0',",
    ),
  ),
  sharing(
    'gives a range away before its work has ended',
    edit(
      SHARDED,
      'await manager.run(stop, lost);',
      "manager.run(stop, lost).catch(() => {}); await new Promise((end) => stop.addEventListener('abort', end));",
    ),
  ),
  sharing(
    'relies on the API server to filter',
    edit(SHARDED, 'containsNamespace(range, namespaceOf(key))', "namespaceOf(key) !== ''"),
    edit(
      'src/runtime/cache/informer.ts',
      'belongsTo(shard, object));',
      "shard.index >= 0 && object.metadata.uid !== '');",
    ),
  ),
  sharing(
    'gives nothing away to those who join',
    edit('src/runtime/shards/decide.ts', 'giveAway: kept.slice(share),', 'giveAway: [],'),
  ),
  sharing(
    'keeps to itself that it has died',
    edit('src/runtime/shards/lease-book.ts', 'DEFAULT_LEASE_SECONDS) * 1_000);', 'DEFAULT_LEASE_SECONDS) * 1e9);'),
  ),
];

function one(name: string, file: string, find: string, put: string): PlantedBug {
  return { name, edits: [{ file, find, put }] };
}

/** A defect of operators that share the namespaces. */
function sharing(name: string, ...edits: readonly Edit[]): PlantedBug {
  return { name, about: 'shards', edits };
}

function edit(file: string, find: string, put: string): Edit {
  return { file, find, put };
}
