// What the API server says to an attempt, as data: taken, with the object as it would be stored, or refused, with the
// fields that it blames. Anything else that can happen to a request is no verdict, and is thrown.

import { isApiError } from '../../../src/runtime/errors.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import { stepsOf } from './plant.ts';

export interface Refusal {
  readonly is: 'refused';
  readonly fields: readonly string[];
  readonly message: string;
}

export type Verdict = { readonly is: 'taken'; readonly object: KubeObject } | Refusal;

/** Waits for the answer. */
export async function verdictOf(attempt: Promise<KubeObject>): Promise<Verdict> {
  try {
    return { is: 'taken', object: await attempt };
  } catch (error) {
    if (!isApiError(error, 'Invalid', 'BadRequest', 'Forbidden', 'Other')) throw error;
    const fields = error.causes.flatMap(({ field }) => (field === undefined || field === '<nil>' ? [] : [field]));
    return { is: 'refused', fields, message: error.status?.message ?? error.message };
  }
}

/** Whether a refusal points at the field: at itself, at something inside of it, or at the object that it is part of. */
export function namesField({ fields, message }: Refusal, path: string): boolean {
  const steps = stepsOf(path);
  const itself = new RegExp(`^\\.?${patternOf(steps)}`);
  const parent = new RegExp(`^\\.?${patternOf(steps.slice(0, steps.findLastIndex(isName)))}$`);
  // Where a value cannot be decoded, the API server tells the way to it without the places in lists.
  const named = `.${steps.slice(1).filter(isName).join('.')}`;
  const undecoded = message.replaceAll(/\[\d+\]|\.VolumeSource/g, '');
  return fields.some((field) => itself.test(field) || parent.test(field)) || undecoded.includes(named);
}

function patternOf(steps: readonly string[]): string {
  return steps
    .map((step, index) => {
      if (step === '[]') return '\\[\\d+\\]';
      if (step === '{}') return '(\\[[^\\]]*\\]|\\.[^ :]*)?';
      return `${index === 0 ? '' : '\\.'}${step}`;
    })
    .join('');
}

function isName(step: string): boolean {
  return step !== '[]' && step !== '{}';
}
