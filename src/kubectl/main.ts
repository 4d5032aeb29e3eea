#!/usr/bin/env node
// `kubectl md`: sees and steers rollouts of MyDeployments. kubectl finds it on the PATH as kubectl-md; `npx mydeployment`
// is the same program, and so is kubectl_complete-md, by which kubectl asks for completions.

import { enableCompileCache } from 'node:module';
import { basename } from 'node:path';
import { processConsole } from './terminal/console.ts';

enableCompileCache(); // everything that is imported from here on starts faster the second time
const { run } = await import('./run.ts');

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
const [, program = '', ...args] = process.argv;
const argv = basename(program) === 'kubectl_complete-md' ? ['__complete', ...args] : args;
process.exitCode = await run(argv, processConsole(process, interrupt.signal), process.env);
