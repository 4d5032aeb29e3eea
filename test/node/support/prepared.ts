// What prepare.ts found, carried by the environment from Jest's main process to the tests.

import type { NodeBinaries } from '../../../src/cluster/binaries/binaries.ts';
import type { Programs } from '../../../src/cluster/cluster.ts';

export type Prepared =
  | { readonly ok: true; readonly programs: Programs; readonly realNode: NodeBinaries }
  | { readonly ok: false; readonly because: string };

const VARIABLE = 'MYDEPLOYMENT_TEST_NODE';

export function rememberPrepared(prepared: Prepared): void {
  process.env[VARIABLE] = JSON.stringify(prepared);
}

export function prepared(): Prepared {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error('not prepared: name the test *.node.test.ts so that Jest prepares it');
  return JSON.parse(text) as Prepared;
}
