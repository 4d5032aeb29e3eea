// Prints the demo: headings, sentences, commands with their output, and the checks that held. The caller passes the colours, so
// that a pipe gets plain text.

/** The styles that the demo uses; see kubectl/terminal/style.ts. */
export interface Palette {
  good(text: string): string;
  bad(text: string): string;
  strong(text: string): string;
}

export interface NarratorOptions {
  readonly write: (text: string) => void;
  readonly palette: Palette;
}

export class Narrator {
  readonly #write: (text: string) => void;
  readonly #palette: Palette;

  constructor({ write, palette }: NarratorOptions) {
    this.#write = write;
    this.#palette = palette;
  }

  /** Begins a chapter, and says what it is about. */
  chapter(title: string, story: string): void {
    this.#line(`\n${this.#palette.strong(`== ${title}`)}`);
    this.say(story);
  }

  say(text: string): void {
    this.#line(text);
  }

  command(words: string): void {
    this.#line(`\n${this.#palette.strong(`$ ${words}`)}`);
  }

  /** The output of a command, unchanged. */
  output(text: string): void {
    this.#write(text);
  }

  /** Something that was checked and holds. */
  holds(what: string): void {
    this.#line(this.#palette.good(`  ✓ ${what}`));
  }

  failed(what: string): void {
    this.#line(this.#palette.bad(`  ✗ ${what}`));
  }

  /** What was shown, and how long each part took. */
  summary(parts: readonly Part[]): void {
    const all = { title: 'all of it', ms: parts.reduce((sum, { ms }) => sum + ms, 0) };
    const widest = Math.max(...[...parts, all].map(({ title }) => title.length));
    const row = ({ title, ms }: Part): string => `  ${title.padEnd(widest)}  ${seconds(ms)}`;
    this.#line(`\n${this.#palette.strong('== What you saw')}`);
    for (const part of parts) this.#line(row(part));
    this.#line(this.#palette.strong(row(all)));
  }

  #line(text: string): void {
    this.#write(`${text}\n`);
  }
}

/** A part of the demo that is over. */
export interface Part {
  readonly title: string;
  readonly ms: number;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(5)} s`;
}
