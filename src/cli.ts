#!/usr/bin/env node
// `mydeployment`, as npx runs it: tools for projects of other operators. Every other command is one of `kubectl md`. Nothing is loaded
// before it is clear what is asked for, because `create` runs on whatever Node a person has.

import { existsSync, readFileSync } from 'node:fs';

async function main([command, ...args]: readonly string[]): Promise<void> {
  switch (command) {
    case 'create':
      return createFiles(args);
    case 'generate': {
      const { generateProject } = await import('./generate/project.ts');
      for (const path of await generateProject()) console.log(`  - ${path}`);
      return;
    }
    case 'run': {
      const { runProject } = await import('./project/run.ts');
      const { mydeployment } = existsSync('package.json') ? JSON.parse(readFileSync('package.json', 'utf8')) : {};
      if (mydeployment === undefined) throw new Error('not in the folder of a project');
      return runProject(mydeployment.operator);
    }
    default: {
      await import('./kubectl/main.ts');
    }
  }
}

async function createFiles(args: readonly string[]): Promise<void> {
  const { create, Misuse, USAGE } = await import('./create/create.ts');
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
  process.exitCode = 1;
});
