// Draws numbers as one SVG document: panels below each other, in each of them groups of bars, one bar a series, the number on top. It
// brings its own background, so it can be read on a light page and on a dark one.

export interface BarChart {
  readonly title: string;
  readonly subtitle: string;
  /** In the order in which they are drawn; a series keeps its colour in every panel. */
  readonly series: readonly Series[];
  readonly panels: readonly Panel[];
}

export interface Series {
  readonly name: string;
  /** In the legend. */
  readonly label: string;
  readonly color: string;
}

export interface Panel {
  readonly heading: string;
  readonly groups: readonly Group[];
}

export interface Group {
  readonly title: string;
  /** By the name of the series. */
  readonly bars: Readonly<Record<string, Bar>>;
}

export interface Bar {
  readonly value: number;
  readonly label: string;
}

const WIDTH = 960;
const MARGIN = 28;
const HEADER = 104;
const PANEL = { height: 236, plot: 150, top: 40 };
const BAR = { width: 36, gap: 4 };
const LEGEND_ENTRY = 150;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .page { fill: #ffffff; stroke: #d1d9e0 }
  .axis { stroke: #d1d9e0 }
  .quiet { fill: #59636e }
  .title { font-size: 18px; font-weight: 600 }
  .panel { font-weight: 600 }
`;
const DARK = `  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .page { fill: #0d1117; stroke: #3d444d }
    .axis { stroke: #3d444d }
    .quiet { fill: #9198a1 }
  }
`;

export function renderBarChart({ title, subtitle, series, panels }: BarChart): string {
  const height = HEADER + panels.length * PANEL.height + MARGIN / 2;
  const colors = series.map(({ name, color }) => `  .${name} { fill: ${color} }\n`).join('');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}${colors}${DARK}</style>`,
    `<rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    text(title, { x: MARGIN, y: 36, class: 'title' }),
    text(subtitle, { x: MARGIN, y: 58, class: 'quiet' }),
    ...legend(series, panels),
    ...panels.map((panel, index) => drawPanel(panel, series, HEADER + index * PANEL.height)),
    '</svg>\n',
  ].join('\n');
}

/** Only those who appear. */
function legend(series: readonly Series[], panels: readonly Panel[]): string[] {
  const groups = panels.flatMap((panel) => panel.groups);
  const present = series.filter(({ name }) => groups.some(({ bars }) => bars[name] !== undefined));
  return present.flatMap(({ name, label }, index) => {
    const x = MARGIN + index * LEGEND_ENTRY;
    return [`<rect class="${name}" x="${x}" y="70" width="12" height="12" rx="2"/>`, text(label, { x: x + 18, y: 80 })];
  });
}

function drawPanel({ heading, groups }: Panel, series: readonly Series[], top: number): string {
  const highest = Math.max(...groups.flatMap(({ bars }) => Object.values(bars).map(({ value }) => value)));
  const base = top + PANEL.top + PANEL.plot;
  const column = (WIDTH - 2 * MARGIN) / groups.length;
  return [
    text(heading, { x: MARGIN, y: top + 16, class: 'panel' }),
    `<line class="axis" x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${base}" y2="${base}"/>`,
    ...groups.map((group, index) =>
      drawGroup(group, series, { base, centre: MARGIN + column * (index + 0.5), highest }),
    ),
  ].join('\n');
}

interface Place {
  readonly base: number;
  readonly centre: number;
  readonly highest: number;
}

/** The bars of a group, side by side around the centre, and its title under them. */
function drawGroup({ title, bars }: Group, series: readonly Series[], { base, centre, highest }: Place): string {
  const present = series.flatMap(({ name }) => {
    const bar = bars[name];
    return bar === undefined ? [] : [{ name, ...bar }];
  });
  const step = BAR.width + BAR.gap;
  const left = centre - (present.length * step - BAR.gap) / 2;
  const drawn = present.flatMap(({ name, value, label }, index) => {
    const height = highest === 0 ? 0 : (value / highest) * PANEL.plot;
    const [x, y] = [round(left + index * step), round(base - height)];
    return [
      `<rect class="${name}" x="${x}" y="${y}" width="${BAR.width}" height="${round(height)}" rx="2"/>`,
      text(label, { x: x + BAR.width / 2, y: y - 5, anchor: 'middle' }),
    ];
  });
  return [...drawn, text(title, { x: round(centre), y: base + 18, class: 'quiet', anchor: 'middle' })].join('\n');
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
