import { describe, expect, it } from '@jest/globals';
import { failureLine } from '../../src/kubectl/failure.ts';
import { ApiError, type ApiErrorFacts, type ApiFailure } from '../../src/runtime/errors.ts';

const apiError = (reason: ApiFailure, message: string, facts: ApiErrorFacts = {}) =>
  new ApiError(reason, message, facts);
const errno = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('a failure is one line', () => {
  it.each([
    { error: new Error('two\n  lines'), line: 'error: two lines' },
    { error: 'text', line: 'error: text' },
    {
      error: apiError('NotFound', 'x', { status: { message: 'mds "web" not found', details: { name: 'web' } } }),
      line: 'Error from server (NotFound): mds "web" not found',
    },
    {
      error: apiError('NotFound', 'get mydeployments.kubebuilder.zq.com a/web: NotFound 404', {
        status: { message: '404' },
      }),
      line: 'error: the server has no kind "MyDeployment": install it with kubectl apply -f crds/ -f manifests/',
    },
    {
      error: apiError('Forbidden', 'x', { status: { message: 'User "jane" cannot get' } }),
      line: 'Error from server (Forbidden): User "jane" cannot get',
    },
    { error: apiError('Unauthorized', 'x'), line: 'error: You must be logged in to the server (Unauthorized)' },
    {
      error: apiError('Connection', 'x', { cause: errno('ECONNREFUSED', 'no') }),
      line: 'The connection to the server host:6443 was refused - did you specify the right host or port?',
    },
    {
      error: apiError('Connection', 'x', { cause: errno('ENOTFOUND', 'getaddrinfo ENOTFOUND nowhere') }),
      line: 'Unable to connect to the server: getaddrinfo ENOTFOUND nowhere',
    },
    { error: apiError('Timeout', 'x'), line: 'Unable to connect to the server: no answer from host:6443 in time' },
    {
      error: apiError('Invalid', 'x', { status: { message: 'spec is wrong' } }),
      line: 'Error from server (Invalid): spec is wrong',
    },
  ])('$line', ({ error, line }) => {
    expect(failureLine(error, 'host:6443')).toBe(line);
  });
});
