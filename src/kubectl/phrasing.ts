// Parts of sentences: nouns with their number, and the end of a text that another program wrote.

/** `1 pod`, `2 pods`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

/** The text as the end of a sentence. Other programs end theirs with a full stop, a comma, a line break or nothing. */
export function ended(text: string): string {
  return `${unended(text)}.`;
}

/** A sentence as a part of another one. */
export function asClause(sentence: string): string {
  return unended(sentence).replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** The text as a part of a sentence that goes on. */
export function unended(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replace(/[\s.,;:]+$/, '');
}
