// Before the first test on a real node: whether this machine can run one, and the programs for it. Where it cannot, one line
// says what is not tested and why, and the tests are skipped.

import { NODE_PACKAGES, nodeSupport } from '../../../src/cluster/node/requirements.ts';
import { nodeProgramsForPeople, programsForPeople } from '../../../src/cluster/programs.ts';
import { ensureSystemPackages } from '../../support/system-packages.ts';
import { type Prepared, rememberPrepared } from './prepared.ts';

/** Jest's globalSetup. */
export default async function prepare(): Promise<void> {
  const prepared = await ready();
  if (!prepared.ok) process.stderr.write(`Not tested: pods with real containers: ${prepared.because}\n`);
  rememberPrepared(prepared);
}

async function ready(): Promise<Prepared> {
  if (!nodeSupport().ok && process.platform === 'linux' && process.env.CI === 'true') {
    const packages = await ensureSystemPackages(NODE_PACKAGES);
    if (!packages.ok) return packages;
  }
  const support = nodeSupport();
  if (!support.ok) return support;
  return { ok: true, programs: await programsForPeople(), realNode: await nodeProgramsForPeople() };
}
