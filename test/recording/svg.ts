// A recording as an SVG that moves by itself, also where no script may run: all frames side by side on one strip, which CSS
// jumps along behind a window. Rows that look the same are drawn once and used again, which keeps the file small.

import type { Frame, Row, Run } from './tape.ts';

const CELL = { width: 8.4, height: 18 };
const MARGIN = 14;
const FONT = 14;

const THEME = {
  paper: '#0d1117',
  ink: '#d1d7e0',
  // Black, red, green, yellow, blue, magenta, cyan, white, and the same again, brighter.
  colours: ['#656c76', '#f47067', '#57ab5a', '#daaa3f', '#539bf5', '#b083f0', '#39c5cf', '#d1d7e0'],
} as const;

export interface Film {
  readonly columns: number;
  readonly rows: number;
  readonly frames: readonly Frame[];
  /** How long the last frame stays before it begins again. */
  readonly restMs: number;
  /** What it shows, for people who cannot see it. */
  readonly title: string;
}

/** The film as the text of an SVG file. */
export function toSvg(film: Film): string {
  const size = { width: film.columns * CELL.width + 2 * MARGIN, height: film.rows * CELL.height + 2 * MARGIN };
  const shapes = new Map<string, string>();
  const shapeOf = (row: Row): string => {
    const drawing = row.map(drawRun).join('');
    const id = shapes.get(drawing) ?? `r${shapes.size}`;
    shapes.set(drawing, id);
    return id;
  };
  const strip = film.frames.map((frame, index) => drawFrame(frame, index * size.width, shapeOf));
  const width = fixed(size.width);
  const height = fixed(size.height);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" xml:space="preserve">`,
    `<title>${escaped(film.title)}</title>`,
    `<style>${styles(film, size.width)}</style>`,
    `<defs>${[...shapes].map(([drawing, id]) => `<g id="${id}">${drawing}</g>`).join('\n')}</defs>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${THEME.paper}"/>`,
    `<svg x="${MARGIN}" y="${MARGIN}" width="${fixed(size.width - 2 * MARGIN)}" height="${fixed(size.height - 2 * MARGIN)}">`,
    `<g class="strip">${strip.join('\n')}</g>`,
    '</svg>',
    '</svg>',
    '',
  ].join('\n');
}

function drawFrame({ rows }: Frame, x: number, shapeOf: (row: Row) => string): string {
  const used = rows.map((row, y) =>
    row.length === 0 ? '' : `<use href="#${shapeOf(row)}" y="${fixed((y + 1) * CELL.height - 4)}"/>`,
  );
  return `<g transform="translate(${fixed(x)})">${used.join('')}</g>`;
}

/** Each run is as wide as its cells, whatever font there is. */
function drawRun({ column, text, colour, bold, faint }: Run): string {
  const styling = [
    ...(colour === undefined ? [] : [`fill="${THEME.colours[colour % 8]}"`]),
    ...(bold ? ['font-weight="bold"'] : []),
    ...(faint ? ['opacity="0.6"'] : []),
  ];
  const length = fixed([...text].length * CELL.width);
  const place = [`x="${fixed(column * CELL.width)}"`, `textLength="${length}"`];
  return `<text ${[...place, ...styling].join(' ')}>${escaped(text)}</text>`;
}

function styles({ frames, restMs }: Film, width: number): string {
  const end = (frames.at(-1)?.atMs ?? 0) + restMs;
  const jump = (index: number): string => `transform:translateX(${fixed(-index * width)}px)`;
  const steps = frames.map(({ atMs }, index) => `${fixed((atMs / end) * 100)}%{${jump(index)}}`);
  return [
    `text{font:${FONT}px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:${THEME.ink};white-space:pre}`,
    // The fill of a run wins over that of all text only as a style.
    ...THEME.colours.map((colour) => `text[fill="${colour}"]{fill:${colour}}`),
    `.strip{animation:play ${fixed(end / 1000)}s step-end infinite}`,
    `@keyframes play{${steps.join('')}}`,
    `@media (prefers-reduced-motion:reduce){.strip{animation:none;${jump(frames.length - 1)}}}`,
  ].join('\n');
}

function fixed(value: number): string {
  return String(Number(value.toFixed(2)));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
