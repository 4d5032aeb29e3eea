import { expect, it } from '@jest/globals';
import { printable } from '../../../src/kubectl/terminal/printable.ts';

it.each([
  { name: 'clears the screen', text: 'a\u001b[2Jb', shown: 'a\\u001b[2Jb' },
  { name: 'does so in eight bits', text: 'a\u009b2Jb', shown: 'a\\u009b2Jb' },
  { name: 'writes over the line', text: 'a\rb\bc', shown: 'a\\u000db\\u0008c' },
  { name: 'turns the direction around', text: 'a\u202eb', shown: 'a\\u202eb' },
  { name: 'is a text of several lines', text: 'a\n\tb', shown: 'a\n\tb' },
  { name: 'is in another script', text: '名 🚀', shown: '名 🚀' },
])('a text that $name', ({ text, shown }) => {
  expect(printable(text)).toBe(shown);
});

it('looks into lists and objects, at their keys too, and leaves everything else as it is', () => {
  const value = { a: ['\u0007', 1, null, undefined, true], '\u001b': { b: '\u007f' } };
  expect(printable(value)).toEqual({ a: ['\\u0007', 1, null, undefined, true], '\\u001b': { b: '\\u007f' } });
});
