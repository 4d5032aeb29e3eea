// Whether this machine can run a real node, and the programs for one.

import type { NodeBinaries } from '../../../src/cluster/binaries/binaries.ts';
import type { Programs } from '../../../src/cluster/cluster.ts';
import { NODE_PACKAGES, nodeSupport } from '../../../src/cluster/node/requirements.ts';
import { nodeProgramsForPeople, programsForPeople } from '../../../src/cluster/programs.ts';
import { ensureSystemPackages } from '../../support/system-packages.ts';

export type Prepared =
  | { readonly ok: true; readonly programs: Programs; readonly realNode: NodeBinaries }
  | { readonly ok: false; readonly because: string };

/** With CI=true, missing packages are installed first. */
export async function prepareRealNode(): Promise<Prepared> {
  if (!nodeSupport().ok && process.env.CI === 'true') {
    const packages = await ensureSystemPackages(NODE_PACKAGES);
    if (!packages.ok) return packages;
  }
  const support = nodeSupport();
  if (!support.ok) return support;
  return { ok: true, programs: await programsForPeople(), realNode: await nodeProgramsForPeople() };
}
