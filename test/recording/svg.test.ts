import { describe, expect, it } from '@jest/globals';
import { toSvg } from './svg.ts';
import type { Frame, Row } from './tape.ts';

const row = (text: string): Row => [{ column: 0, text }];

function svgOf(...frames: Frame[]): string {
  return toSvg({ columns: 10, rows: 2, frames, restMs: 1_000, title: 'A & B' });
}

describe('a film', () => {
  it('jumps from frame to frame at their times, and begins again after a rest', () => {
    const svg = svgOf({ atMs: 0, rows: [row('one')] }, { atMs: 3_000, rows: [row('two')] });
    expect(svg).toContain('animation:play 4s step-end infinite');
    expect(svg).toContain('@keyframes play{0%{transform:translateX(0px)}75%{transform:translateX(-112px)}}');
    expect(svg).toContain('width="112"');
  });

  it('stands still on its last frame for people who want no motion', () => {
    const svg = svgOf({ atMs: 0, rows: [row('one')] }, { atMs: 500, rows: [row('two')] });
    expect(svg).toContain('(prefers-reduced-motion:reduce){.strip{animation:none;transform:translateX(-112px)}}');
  });

  it('draws rows that look the same once', () => {
    const svg = svgOf({ atMs: 0, rows: [row('same'), row('one')] }, { atMs: 500, rows: [row('two'), row('same')] });
    expect(svg.match(/>same</g)).toHaveLength(1);
    expect(svg.match(/href="#r0"/g)).toHaveLength(2);
  });

  it('gives each run its place, its width, its colour and its weight', () => {
    const svg = svgOf({ atMs: 0, rows: [[{ column: 2, text: '✔ ok', colour: 2, bold: true, faint: true }]] });
    expect(svg).toContain(
      '<text x="16.8" textLength="33.6" fill="#57ab5a" font-weight="bold" opacity="0.6">✔ ok</text>',
    );
  });

  it('shows what would be markup as text', () => {
    const svg = svgOf({ atMs: 0, rows: [row('<none> & "x"')] });
    expect(svg).toContain('>&lt;none&gt; &amp; &quot;x&quot;</text>');
    expect(svg).toContain('<title>A &amp; B</title>');
  });
});
