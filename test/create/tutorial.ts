// The tutorial as data: the files that it has its reader write.

import { readFileSync } from 'node:fs';

/** Content by path, as docs/tutorial.md shows it below a line with the path. */
export function tutorialFiles(): ReadonlyMap<string, string> {
  const blocks = readFileSync('docs/tutorial.md', 'utf8').matchAll(/^\*\*`([^`]+)`\*\*\n\n```\w+\n([\s\S]*?)```/gm);
  return new Map([...blocks].map(([, path = '', text = '']) => [path, text]));
}
