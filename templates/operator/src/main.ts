// The operator: its kinds, until SIGTERM or SIGINT. `node src/main.ts --help` would be a wrong flag, and lists the right ones.

import { runKinds } from 'mydeployment/runtime';
import { KINDS } from './kinds.ts';

await runKinds('acme', KINDS);
