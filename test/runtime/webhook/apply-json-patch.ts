// Applies a JSON patch as RFC 6902 says, for tests of what makes one. Refuses what a strict server refuses.

import type { JsonPatchOperation } from '../../../src/runtime/client/options.ts';

type Container = unknown[] | Record<string, unknown>;

export function applyJsonPatch(document: unknown, patch: readonly JsonPatchOperation[]): unknown {
  // A box around the document, so that the whole of it can be replaced like any member.
  const box = new Map([['document', structuredClone(document)]]);
  for (const operation of patch) {
    const tokens = operation.path.split('/').slice(1).map(unescaped);
    const last = tokens.pop();
    if (last === undefined) box.set('document', 'value' in operation ? structuredClone(operation.value) : undefined);
    else applyAt(descend(box.get('document'), tokens), last, operation);
  }
  return box.get('document');
}

function descend(document: unknown, tokens: readonly string[]): Container {
  let here = document as Container;
  for (const token of tokens) {
    if (!Object.hasOwn(here, token)) throw new Error(`nothing at ${token}`);
    here = (here as Record<string, Container>)[token] as Container;
  }
  return here;
}

function applyAt(container: Container, token: string, operation: JsonPatchOperation): void {
  const exists = Object.hasOwn(container, token);
  switch (operation.op) {
    case 'add':
      if (!Array.isArray(container)) set(container, token, operation.value);
      else if (token === '-') container.push(structuredClone(operation.value));
      else container.splice(Number(token), 0, structuredClone(operation.value));
      return;
    case 'replace':
      if (!exists) throw new Error(`nothing to replace at ${operation.path}`);
      set(container, token, operation.value);
      return;
    case 'remove':
      if (!exists) throw new Error(`nothing to remove at ${operation.path}`);
      if (Array.isArray(container)) container.splice(Number(token), 1);
      else delete container[token];
      return;
    default:
      throw new Error(`unexpected operation ${operation.op}`);
  }
}

/** Also for keys such as `__proto__`, which an assignment would treat differently. */
function set(container: Container, token: string, value: unknown): void {
  const descriptor = { value: structuredClone(value), writable: true, enumerable: true, configurable: true };
  Object.defineProperty(container, token, descriptor);
}

function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
