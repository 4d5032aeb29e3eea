// The report as a picture: for each of time, CPU and writes a group of bars for every work, one bar a contender, the
// number on top. It brings its own background, so it can be read on a light page and on a dark one.

import { CONTENDERS, type ContenderName } from './contenders/contender.ts';
import { formatted } from './format.ts';
import { CPU, WALL, WRITES } from './metrics.ts';
import type { Row } from './summary.ts';

export interface ChartProps {
  readonly title: string;
  readonly subtitle: string;
}

const WIDTH = 960;
const MARGIN = 28;
const HEADER = 104;
const PANEL = { height: 236, plot: 150, top: 40 };
const BAR = { width: 36, gap: 4 };

const PANELS: Readonly<Record<string, string>> = {
  [WALL]: 'Time until all pods are as asked, seconds',
  [CPU]: 'CPU of the controller, seconds',
  [WRITES]: 'API writes of the controller, Events included',
};

const NAMES: Readonly<Record<ContenderName, string>> = {
  limit: 'bare client (limit)',
  native: 'native Deployment',
  ours: 'MyDeployment',
};

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .page { fill: #ffffff; stroke: #d1d9e0 }
  .axis { stroke: #d1d9e0 }
  .quiet { fill: #59636e }
  .title { font-size: 18px; font-weight: 600 }
  .panel { font-weight: 600 }
  .limit { fill: #8c959f }
  .native { fill: #2f81f7 }
  .ours { fill: #e16f24 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .page { fill: #0d1117; stroke: #3d444d }
    .axis { stroke: #3d444d }
    .quiet { fill: #9198a1 }
  }
`;

/** Renders the rows that can be drawn as one SVG document. */
export function renderChart(rows: readonly Row[], { title, subtitle }: ChartProps): string {
  const panels = Object.entries(PANELS)
    .map(([section, heading]) => ({ heading, rows: rows.filter((row) => row.section === section) }))
    .filter((panel) => panel.rows.length > 0);
  const height = HEADER + panels.length * PANEL.height + MARGIN / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    text(title, { x: MARGIN, y: 36, class: 'title' }),
    text(subtitle, { x: MARGIN, y: 58, class: 'quiet' }),
    ...legend(rows),
    ...panels.map((panel, index) => drawPanel(panel.heading, panel.rows, HEADER + index * PANEL.height)),
    '</svg>\n',
  ].join('\n');
}

/** Only those who appear. */
function legend(rows: readonly Row[]): string[] {
  const present = CONTENDERS.filter((name) => rows.some(({ values }) => values[name] !== undefined));
  return present.flatMap((name, index) => {
    const x = MARGIN + index * 150;
    return [
      `<rect class="${name}" x="${x}" y="70" width="12" height="12" rx="2"/>`,
      text(NAMES[name], { x: x + 18, y: 80 }),
    ];
  });
}

function drawPanel(heading: string, rows: readonly Row[], top: number): string {
  const highest = Math.max(...rows.flatMap(({ values }) => Object.values(values).map(({ median }) => median)));
  const base = top + PANEL.top + PANEL.plot;
  const column = (WIDTH - 2 * MARGIN) / rows.length;
  return [
    text(heading, { x: MARGIN, y: top + 16, class: 'panel' }),
    `<line class="axis" x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${base}" y2="${base}"/>`,
    ...rows.map((row, index) => drawGroup(row, { base, centre: MARGIN + column * (index + 0.5), highest })),
  ].join('\n');
}

interface Place {
  readonly base: number;
  readonly centre: number;
  readonly highest: number;
}

/** The bars of one work, side by side around the centre, and its name under them. */
function drawGroup(row: Row, { base, centre, highest }: Place): string {
  const bars = CONTENDERS.flatMap((name) => {
    const value = row.values[name];
    return value === undefined ? [] : [{ name, median: value.median }];
  });
  const step = BAR.width + BAR.gap;
  const left = centre - (bars.length * step - BAR.gap) / 2;
  const drawn = bars.flatMap(({ name, median }, index) => {
    const height = highest === 0 ? 0 : (median / highest) * PANEL.plot;
    const [x, y] = [round(left + index * step), round(base - height)];
    return [
      `<rect class="${name}" x="${x}" y="${y}" width="${BAR.width}" height="${round(height)}" rx="2"/>`,
      text(formatted(median, row.unit), { x: x + BAR.width / 2, y: y - 5, anchor: 'middle' }),
    ];
  });
  return [...drawn, text(row.title, { x: round(centre), y: base + 18, class: 'quiet', anchor: 'middle' })].join('\n');
}

interface TextPlace {
  readonly x: number;
  readonly y: number;
  readonly class?: string;
  readonly anchor?: 'middle';
}

function text(content: string, { x, y, class: name, anchor }: TextPlace): string {
  const attributes = `${name ? ` class="${name}"` : ''}${anchor ? ` text-anchor="${anchor}"` : ''}`;
  return `<text x="${x}" y="${round(y)}"${attributes}>${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
