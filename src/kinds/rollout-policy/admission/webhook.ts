// Admission of RolloutPolicies. The schema and its rules, which the API server checks before, hold without it; this adds who asks for
// a promotion, an abort or a retry, and warnings.

import type { RolloutPolicy } from '../../../policy/types.gen.ts';
import type { Defaulter, Validator } from '../../../runtime/webhook/server.ts';
import { DEFAULT_SERVER } from '../gates/measurement.ts';
import { unknownServer } from '../prometheus/flag.ts';
import { judgeRequests, withCaller } from './requests.ts';

/** Writes down who asks. */
const defaulter: Defaulter<RolloutPolicy> = (object, { oldObject, userInfo }) =>
  withCaller(object, oldObject, userInfo.username ?? 'unknown');

/** The functions of both webhooks, in an operator that knows these servers. */
export function handlers(servers: ReadonlyMap<string, unknown>) {
  const validator: Validator<RolloutPolicy> = ({ object, oldObject }) => {
    if (object === null) return { warnings: oldObject === null ? [] : deletionWarnings(oldObject) };
    if (object.metadata.deletionTimestamp !== undefined) return {};
    const { errors, warnings } = judgeRequests(object, oldObject);
    return { errors, warnings: [...warnings, ...unusedGates(object), ...unknownServers(object, [...servers.keys()])] };
  };
  return { mutate: defaulter, validate: validator };
}

function unusedGates({ spec: { gates = [], steps = [] } }: RolloutPolicy): string[] {
  const used = new Set(steps.flatMap((step) => step.gates ?? []));
  const unused = gates.map(({ name }) => name).filter((name) => !used.has(name));
  return unused.map((name) => `spec.gates: no step uses gate "${name}"`);
}

/** A warning, because whoever runs the operator may name the server later. */
function unknownServers({ spec: { gates = [] } }: RolloutPolicy, known: readonly string[]): string[] {
  return gates.flatMap(({ prometheus }, index) => {
    const { server = DEFAULT_SERVER } = prometheus ?? {};
    if (prometheus === undefined || known.includes(server)) return [];
    return [`spec.gates[${index}].prometheus.server: ${unknownServer(server, known)}`];
  });
}

/** What happens to a rollout that only this policy holds or has taken back. */
function deletionWarnings({
  spec: { targetRef, steps = [] },
  status: { number, step, rejected } = {},
}: RolloutPolicy): string[] {
  const native = `without this policy MyDeployment "${targetRef.name}" rolls it out to all replicas`;
  if (rejected !== undefined) return [`revision ${number} was rejected (${rejected.reason}): ${native}`];
  if (step === undefined || step > steps.length) return [];
  return [`revision ${number} is held in step ${step} of ${steps.length}: ${native}`];
}
