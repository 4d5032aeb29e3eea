#!/usr/bin/env node
// Where `kubectl md` begins. Nothing but this file is loaded before it is clear that this Node can load the rest: an older one
// would end with a syntax error and a page of minified source.

const NEEDED = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
  // Not awaited: as one program, without Node, this is CommonJS, which cannot wait here.
  void import('./program.ts').then(({ start }) => start());
} else {
  process.stderr.write(
    `error: kubectl md needs Node.js ${NEEDED.join('.')} or later, and this is ${process.versions.node}\n`,
  );
  process.exitCode = 1;
}
