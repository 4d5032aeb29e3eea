// The documentation is held to what is true: constructs come to the YAML shown beside them, and links lead somewhere.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { withFreshYaml } from '../src/generate/snippets.ts';

const PAGES = globSync(['*.md', 'docs/*.md', 'src/README.md']).sort();

/** As GitHub makes the anchor of a heading. */
function anchorOf(heading: string): string {
  const text = heading.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
}

function withoutCode(text: string): string {
  return text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`]*`/g, '');
}

function anchorsOf(text: string): string[] {
  const headings = text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) => anchorOf(heading));
}

/** What a page links to and is not there. */
function deadLinks(page: string, text: string): string[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^https?:/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(file)) return true;
    return anchor !== undefined && !anchorsOf(file === page ? text : readFileSync(file, 'utf8')).includes(anchor);
  });
}

describe('the documentation', () => {
  it.each(PAGES)('%s links to nothing that is not there', (page) => {
    expect(deadLinks(page, readFileSync(page, 'utf8'))).toEqual([]);
  });

  it('would be told of a link that leads nowhere', () => {
    const text = '# One `two`\n[a](#one-two) [b](#three) [c](docs/nowhere.md) [d](README.md) `[e](x)`';
    expect(deadLinks('README.md', text)).toEqual(['#three', 'docs/nowhere.md']);
  });

  it('shows the YAML that its constructs make', () => {
    const page = readFileSync('docs/constructs.md', 'utf8');
    const stale = page.replace('revisionHistoryLimit: 10', 'revisionHistoryLimit: 11');
    expect(withFreshYaml(stale)).toBe(page);
  });
});
