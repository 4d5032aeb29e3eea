// The registry of a real node, which reaches no other: it stands in for docker.io in the node's network and serves one image,
// whatever tag is asked for. An image that it does not have is not found, as in any registry.

import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';

/** Under these names there is busybox. The samples run nginx. */
const REPOSITORIES = ['library/busybox', 'library/nginx'];
const PATH = /^\/v2\/(?<repository>.+)\/(?<what>manifests|blobs)\/(?<reference>[^/]+)$/;

const [, , layout, port] = process.argv as [string, string, string, string];

const { manifests } = JSON.parse(await readFile(join(layout, 'index.json'), 'utf8')) as {
  readonly manifests: readonly [{ readonly mediaType: string; readonly digest: string }];
};
const [manifest] = manifests;

createServer((request, response) => {
  const path = request.url?.split('?')[0] ?? '';
  const { repository = '', what, reference = '' } = PATH.exec(path)?.groups ?? {};
  if (path === '/v2/') response.end('{}');
  else if (!REPOSITORIES.includes(repository)) notFound(response);
  else if (what === 'blobs') void serve(reference, 'application/octet-stream', response);
  else void serve(reference.includes(':') ? reference : manifest.digest, manifest.mediaType, response);
}).listen(Number(port), '127.0.0.1');

/** Node leaves the body out where only the headers were asked for. */
async function serve(digest: string, type: string, response: ServerResponse): Promise<void> {
  const content = await readFile(join(layout, 'blobs', digest.replace(':', '/'))).catch(() => undefined);
  if (content === undefined) return notFound(response);
  response.writeHead(200, {
    'content-type': type,
    'content-length': content.length,
    'docker-content-digest': digest,
  });
  response.end(content);
}

function notFound(response: ServerResponse): void {
  response
    .writeHead(404)
    .end(JSON.stringify({ errors: [{ code: 'NAME_UNKNOWN', message: 'the node has no such image' }] }));
}
