// Durations as Kubernetes writes them: `30s`, `10m`, `1h30m`. The schema admits nothing else.

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** In milliseconds; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
  return parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (UNITS[unit] as number), 0);
}

/** In hours, minutes and seconds; empty for less than a second, and for fractions of one. */
export function formatDuration(ms: number): string {
  if (ms % 1000 !== 0) return '';
  const seconds = ms / 1000;
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
    [seconds % 60, 's'],
  ] as const;
  return parts.map(([count, unit]) => (count > 0 ? `${count}${unit}` : '')).join('');
}
