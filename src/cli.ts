#!/usr/bin/env node
// `mydeployment`, as npx runs it: tools for projects of other operators. Every other command is one of `kubectl md`. Little is loaded
// before it is clear what is asked for, because `create` runs on whatever Node a person has.

import { projectIn } from './create/project.ts';
import { isHelp, USAGE } from './create/usage.ts';

const IN_A_PROJECT = `       mydeployment generate
       mydeployment run
       mydeployment COMMAND, as kubectl md:
`;

async function main([command, ...args]: readonly string[]): Promise<void> {
  switch (command) {
    case 'create':
      return createFiles(args);
    case 'generate': {
      projectIn('.');
      const { generateProject } = await import('./generate/project.ts');
      for (const path of await generateProject()) console.log(`  - ${path}`);
      return;
    }
    case 'run': {
      const { operator } = projectIn('.');
      const { runProject } = await import('./project/run.ts');
      return runProject(operator);
    }
    default: {
      if (command === undefined || isHelp([command])) process.stdout.write(`${USAGE}${IN_A_PROJECT}\n`);
      await import('./kubectl/main.ts');
    }
  }
}

async function createFiles(args: readonly string[]): Promise<void> {
  if (isHelp(args)) {
    process.stdout.write(USAGE);
    return;
  }
  const { create, Misuse } = await import('./create/create.ts');
  try {
    const { files, next } = create(args, '.');
    for (const path of files) console.log(`  - ${path}`);
    console.log(`\nNext:\n${next.map((line) => `  ${line}\n`).join('')}`);
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    process.stderr.write(`error: ${error.message}\n${USAGE}`);
    process.exitCode = 1;
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`error: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1); // `run` still waits for Ctrl-C
});
