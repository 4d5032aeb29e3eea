// Cuts texts from other programs, such as the message of an API server, to a length that can be stored, logged and
// shown. One error message can be a megabyte long, and is repeated for every pod and every attempt.

/**
 * The longest text that the client takes from a server, in bytes of UTF-8. What controllers put in front of it leaves it
 * within the 1,024 bytes of an event's message.
 */
export const LONGEST_TEXT = 960;

/**
 * The text if it has at most `longest` bytes, else its beginning and how much is missing: `violates … (669520 more bytes)`.
 * Guarantees: at most `longest` bytes, no character is split, and the result does not keep the long text in memory.
 */
export function shorten(text: string, longest = LONGEST_TEXT): string {
  if (text.length * 3 <= longest) return text; // a UTF-16 unit has at most three bytes
  const bytes = Buffer.byteLength(text);
  if (bytes <= longest) return text;
  const room = Buffer.allocUnsafe(Math.max(0, longest - markOf(bytes).length - 2)); // the ellipsis has three bytes
  const { written } = new TextEncoder().encodeInto(text, room);
  return room.toString('utf8', 0, written) + markOf(bytes - written);
}

function markOf(missing: number): string {
  return `… (${missing} more bytes)`;
}
