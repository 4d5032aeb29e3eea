// Reads the text that Prometheus would scrape, as far as our tests ask about it.

export interface Family {
  readonly type: string;
  /** Sorted; `le` is left out. */
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets, `+Inf` left out. */
  readonly buckets?: readonly number[];
}

/** Every family that has at least one sample, by name. */
export function familiesOf(text: string): Map<string, Family> {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  const families = new Map<string, Family>();
  for (const [, sample = '', labelText = ''] of text.matchAll(/^([a-z_0-9]+)(?:\{(.*)\})? \S+$/gm)) {
    const name = types.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '');
    const labels = Object.fromEntries(
      [...labelText.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
    );
    const { le, ...others } = labels;
    const buckets = [...(families.get(name)?.buckets ?? [])];
    if (le !== undefined && le !== '+Inf' && !buckets.includes(Number(le))) buckets.push(Number(le));
    const family = { type: types.get(name) ?? 'untyped', labels: Object.keys(others).sort() };
    families.set(name, family.type === 'histogram' ? { ...family, buckets } : family);
  }
  return families;
}

/** The value of one sample, written as in the exposition; undefined when it is not there. */
export function sampleOf(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}
