// `kubectl md`: shows and controls rollouts of MyDeployments. kubectl finds it on the PATH as kubectl-md; `npx mydeployment`
// is the same program, and so is kubectl_complete-md, by which kubectl asks for completions.

import { enableCompileCache } from 'node:module';
import { basename } from 'node:path';
import { isSea } from 'node:sea';
import { setFlagsFromString } from 'node:v8';
import { compileCacheFolder } from './compile-cache.ts';
import { processConsole } from './terminal/console.ts';

/** Runs the command line of this process, and sets its exit code. */
export async function start(): Promise<void> {
  const { argv, env } = process;
  // What is imported from here on starts faster the second time; in one program there is nothing to import.
  const folder = isSea() ? undefined : compileCacheFolder(env, process.getuid?.());
  if (folder !== undefined) enableCompileCache(folder);
  const { run } = await import('./run.ts');
  // The HTTP parser is WebAssembly. Optimizing it takes V8 longer than most commands run, and the process would wait for
  // that at its end. Not said earlier: with other flags V8 compiles Node's own modules anew.
  setFlagsFromString('--wasm-tiering-budget=1000000000');

  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
  const [, program = '', ...args] = argv;
  const words = basename(program) === 'kubectl_complete-md' ? ['__complete', ...args] : args;
  process.exitCode = await run(words, processConsole(process, interrupt.signal), env);
}
