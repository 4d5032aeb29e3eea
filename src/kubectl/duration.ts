// Durations as kubectl reads and writes them: `1h30m` in, `90m` out.

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DAY = 24;
const YEAR = 365 * DAY;

/** Milliseconds; undefined when the text is no duration. A bare number counts seconds. */
export function parseDuration(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit as string] as number), 0);
}

/** As in kubectl's AGE columns: the two units that matter, fewer where the first says enough. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return joined(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return joined(hours, 'h', minutes % 60, 'm');
  if (hours < 2 * DAY) return `${hours}h`;
  const days = Math.floor(hours / DAY);
  if (hours < 8 * DAY) return joined(days, 'd', hours % DAY, 'h');
  if (hours < 2 * YEAR) return `${days}d`;
  const years = Math.floor(hours / YEAR);
  return hours < 8 * YEAR ? joined(years, 'y', days % 365, 'd') : `${years}y`;
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
