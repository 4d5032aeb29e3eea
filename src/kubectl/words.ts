// Small parts of sentences: counted nouns, and endings of texts that other programs wrote.

/** `1 pod`, `2 pods`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

/** The text as the end of a sentence. Other programs end theirs with a full stop, a comma, a line break or nothing. */
export function ended(text: string): string {
  return `${text.replaceAll(/\s+/g, ' ').replace(/[\s.,;:]+$/, '')}.`;
}
