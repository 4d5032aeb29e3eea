// The command line that does the same as an action of the page, to copy into a script or to send to a colleague. Pure.

import type { ActRequest } from '../protocol.ts';

export function commandOf(request: ActRequest): string {
  const { verb, namespace, name } = request;
  const suffix = `-n ${namespace}`;
  switch (verb) {
    case 'set image':
      return `kubectl md set image ${name} ${imagesOf(request)} ${suffix}`;
    case 'scale':
      return `kubectl scale md/${name} --replicas=${request.replicas ?? 0} ${suffix}`;
    case 'undo':
      return `kubectl md rollout undo ${name}${request.revision ? ` --to-revision=${request.revision}` : ''} ${suffix}`;
    case 'promote':
      return `kubectl md rollout promote ${name}${request.full ? ' --full' : ''} ${suffix}`;
    default:
      return `kubectl md rollout ${verb} ${name} ${suffix}`;
  }
}

function imagesOf({ images = {} }: ActRequest): string {
  return Object.entries(images)
    .map(([container, image]) => quoted(`${container}=${image}`))
    .join(' ');
}

/** As a shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
