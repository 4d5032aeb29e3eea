// The scripts for Argo CD on the engine that it uses, held to their test cases, which are in Argo CD's own format. The objects
// of the health cases are recorded: phases.cluster.test.ts holds them to what the operator writes.

import { expect, it } from '@jest/globals';
import { describeWithTool } from '../support/tools.ts';
import { actionCases, type Case, discoveryCases, type HealthStatus, healthCases } from './argo-cd-cases.ts';
import { ask } from './line-program.ts';

const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

/** The time of a restart is that of the test; Argo CD's own tests leave it out, too. */
function withoutRestartTime(object: object): unknown {
  return JSON.parse(JSON.stringify(object, (key, value) => (key === RESTARTED_AT ? 'some time' : value)));
}

await describeWithTool('argo-lua', 'the scripts for Argo CD', (lua) => {
  const run = <Answer>({ script, object }: Case<unknown>): Answer =>
    ask<Answer>(lua, [{ script, object }])[0] as Answer;

  it.each(healthCases())('judge the health of $name', (each) => {
    expect(run<HealthStatus>(each)).toEqual(each.expected);
  });

  it.each(discoveryCases())('offer the actions that make sense for $name', (each) => {
    const offered = Object.entries(run<Readonly<Record<string, object>>>(each));
    const byName = offered.map(([name, rest]) => ({ name, ...rest })).sort((a, b) => a.name.localeCompare(b.name));
    expect(byName).toEqual(each.expected);
  });

  it.each(actionCases())('$name', (each) => {
    expect(withoutRestartTime(run(each))).toEqual(withoutRestartTime(each.expected));
  });
});
