// What an answer of Prometheus means for a gate: exactly one number, no data, or an error. Pure. The server may be anything, so
// nothing of the answer is taken for granted.

import { shorten } from '../../../runtime/shorten.ts';
import { numberOf, type Outcome } from '../gates/judge.ts';

/** Leaves room in the message of a gate, which is also shown in conditions. */
const LONGEST_MESSAGE = 256;
const LONGEST_NUMBER = 32;

/** The outcome of a query that was answered with this status and body. */
export function readAnswer(status: number, body: string): Outcome {
  if (status >= 300 && status < 400) return error(`the server redirects (HTTP ${status}), which is not followed`);
  const answer = parsed(body);
  if (status !== 200 || field(answer, 'status') !== 'success') return refusal(status, answer);
  const data = field(answer, 'data');
  const result = field(data, 'result');
  const type = field(data, 'resultType');
  if (type === 'scalar') return readSample(result);
  if (type !== 'vector' || !Array.isArray(result)) {
    return error(`the query yields a ${text(type) ?? 'result without a type'}, not one sample or a scalar`);
  }
  if (result.length > 1) return error(`the query yields ${result.length} samples, not one: aggregate them`);
  if (result.length === 0) return { is: 'noData', message: 'the query yields no data' };
  const value = field(result[0], 'value');
  return value === undefined ? error('the query yields a histogram, not a number') : readSample(value);
}

/** `[time, "number"]`. */
function readSample(sample: unknown): Outcome {
  const number = Array.isArray(sample) ? text(sample[1]) : undefined;
  if (number === 'NaN') return { is: 'noData', message: 'the query yields NaN' };
  if (number === undefined || number.length > LONGEST_NUMBER || Number.isNaN(numberOf(number))) {
    return error('the server answers with something that is no number');
  }
  return { is: 'value', text: number };
}

function refusal(status: number, answer: unknown): Outcome {
  const words = [text(field(answer, 'errorType')), text(field(answer, 'error'))].filter(Boolean).join(': ');
  const because = words ? shorten(words, LONGEST_MESSAGE) : 'the answer is not one of Prometheus';
  return error(`the server refuses the query (HTTP ${status}): ${because}`);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // the page of a proxy, perhaps
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function error(message: string): Outcome {
  return { is: 'error', message };
}
