// The registry of a real node, which has no other network. It serves as docker.io and has one image for each repository, under
// every tag. Other images are not found.

import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';

const PATH = /^\/v2\/(?<repository>[\w-]+\/[\w-]+)\/(?<what>manifests|blobs)\/(?<reference>[^/]+)$/;

/** The folder has an OCI layout for each repository. */
const [, , folder, port] = process.argv as [string, string, string, string];

createServer((request, response) => {
  const path = request.url?.split('?')[0] ?? '';
  const { repository = '', what, reference = '' } = PATH.exec(path)?.groups ?? {};
  const layout = join(folder, repository);
  if (path === '/v2/') response.end('{}');
  else if (!existsSync(join(layout, 'index.json'))) notFound(response);
  else if (what === 'blobs') serve(layout, { digest: reference, mediaType: 'application/octet-stream' }, response);
  else serve(layout, manifestOf(layout, reference), response);
}).listen(Number(port), '127.0.0.1');

interface Descriptor {
  readonly digest: string;
  readonly mediaType: string;
}

function manifestOf(layout: string, reference: string): Descriptor {
  const { manifests } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as {
    readonly manifests: readonly [Descriptor];
  };
  const [manifest] = manifests;
  return reference.includes(':') ? { ...manifest, digest: reference } : manifest;
}

/** Node leaves the body out where only the headers were asked for. */
function serve(layout: string, { digest, mediaType }: Descriptor, response: ServerResponse): void {
  const path = join(layout, 'blobs', digest.replace(':', '/'));
  if (!existsSync(path)) {
    notFound(response);
    return;
  }
  const content = readFileSync(path);
  response.writeHead(200, {
    'content-type': mediaType,
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
