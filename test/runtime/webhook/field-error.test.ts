import { describe, expect, it } from '@jest/globals';
import {
  duplicate,
  forbidden,
  invalid,
  invalidStatus,
  notSupported,
  renderFieldError,
  required,
  tooLong,
} from '../../../src/runtime/webhook/field-error.ts';

describe('a field error reads as the API server would say it', () => {
  it.each([
    {
      error: invalid('spec.replicas', -1, 'must be greater than or equal to 0'),
      reason: 'FieldValueInvalid',
      text: 'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    },
    {
      error: invalid('spec.selector', { matchLabels: { app: 'a' } }, 'field is immutable'),
      reason: 'FieldValueInvalid',
      text: 'spec.selector: Invalid value: {"matchLabels":{"app":"a"}}: field is immutable',
    },
    {
      error: invalid('spec.selector', undefined, 'must be set'),
      reason: 'FieldValueInvalid',
      text: 'spec.selector: Invalid value: null: must be set',
    },
    { error: required('spec.image'), reason: 'FieldValueRequired', text: 'spec.image: Required value' },
    {
      error: required('spec.image', 'image is required'),
      reason: 'FieldValueRequired',
      text: 'spec.image: Required value: image is required',
    },
    {
      error: forbidden('spec.strategy.rollingUpdate', 'may not be specified'),
      reason: 'FieldValueForbidden',
      text: 'spec.strategy.rollingUpdate: Forbidden: may not be specified',
    },
    {
      error: notSupported('spec.strategy.type', 'Blue', ['Recreate', 'RollingUpdate']),
      reason: 'FieldValueNotSupported',
      text: 'spec.strategy.type: Unsupported value: "Blue": supported values: "Recreate", "RollingUpdate"',
    },
    {
      error: duplicate('spec.ports[1].name', 'http'),
      reason: 'FieldValueDuplicate',
      text: 'spec.ports[1].name: Duplicate value: "http"',
    },
    {
      error: tooLong('metadata.name', 63),
      reason: 'FieldValueTooLong',
      text: 'metadata.name: Too long: may not be more than 63 bytes',
    },
  ])('$text', ({ error, reason, text }) => {
    expect(renderFieldError(error)).toBe(text);
    expect(error.reason).toBe(reason);
  });
});

describe('the Status of an invalid object', () => {
  const object = { group: 'apps.example', kind: 'Widget', name: 'web' };
  const negative = invalid('spec.size', -1, 'must be positive');
  const missing = required('spec.image');

  it('says one error plainly and carries it as a cause', () => {
    expect(invalidStatus(object, [negative])).toEqual({
      code: 422,
      reason: 'Invalid',
      message: 'Widget.apps.example "web" is invalid: spec.size: Invalid value: -1: must be positive',
      details: { ...object, causes: [negative] },
    });
  });

  it('lists several, each once', () => {
    expect(invalidStatus(object, [negative, missing, negative]).message).toBe(
      'Widget.apps.example "web" is invalid: [spec.size: Invalid value: -1: must be positive, spec.image: Required value]',
    );
  });

  it('names kinds of the core group without a group', () => {
    expect(invalidStatus({ ...object, group: '' }, [missing]).message).toBe(
      'Widget "web" is invalid: spec.image: Required value',
    );
  });

  it('shows of a long value how it begins, and of many errors the first', () => {
    const long = invalid('spec.selector', 'x'.repeat(1_000_000), 'field is immutable');
    expect(renderFieldError(long)).toMatch(
      /^spec\.selector: Invalid value: "x+… \(\d+ more bytes\): field is immutable$/,
    );
    const many = Array.from({ length: 10_000 }, (_, index) => invalid(`spec.ports[${index}]`, 'y'.repeat(5_000), 'no'));
    const status = invalidStatus(object, many);
    expect(status.details?.causes).toHaveLength(256);
    expect(status.message).toMatch(
      /^Widget\.apps\.example "web" is invalid: \[spec\.ports\[0\]: .*, 9744 more errors\]$/,
    );
    expect(JSON.stringify(status).length).toBeLessThan(600_000);
    expect(invalidStatus(object, many.slice(0, 257)).message).toMatch(/, 1 more errors\]$/);
    expect(invalidStatus(object, many.slice(0, 256)).message).not.toContain('more errors');
  });

  it('names the object in short', () => {
    const { message = '', details } = invalidStatus(
      { group: 'g', kind: 'k'.repeat(1_000_000), name: 'n'.repeat(1_000_000) },
      [missing],
    );
    expect(message.length).toBeLessThan(5_000);
    expect(JSON.stringify(details).length).toBeLessThan(5_000);
  });
});
