// The operator of this project: the kinds of kinds.ts on the runtime.

import { KINDS } from './kinds/kinds.ts';
import { OPERATOR_NAME } from './operator/names.ts';
import { runKinds } from './runtime/operator/run-kinds.ts';

await runKinds(OPERATOR_NAME, Object.values(KINDS));
