import { describe, expect, it } from '@jest/globals';
import {
  createCall,
  deleteCall,
  deleteCollectionCall,
  getCall,
  listCall,
  patchCall,
  updateCall,
  watchCall,
} from '../../../src/runtime/client/calls.ts';
import type { Call } from '../../../src/runtime/client/transport.ts';
import { configMaps, deployments, nodes, pods } from './fixtures.ts';

const web = { namespace: 'default', name: 'web' };
const pod = { metadata: web, spec: { containers: [] } };

interface Expected {
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly repeat: Call['repeat'];
}

const calls: readonly (Expected & { readonly name: string; readonly call: Call })[] = [
  {
    name: 'get',
    call: getCall(pods, web, { resourceVersion: '0' }),
    method: 'GET',
    path: '/api/v1/namespaces/default/pods/web?resourceVersion=0',
    title: 'get pods default/web',
    repeat: 'read',
  },
  {
    name: 'get a subresource of a cluster-scoped object',
    call: getCall(nodes, { name: 'n1' }, { subresource: 'proxy' }),
    method: 'GET',
    path: '/api/v1/nodes/n1/proxy',
    title: 'get nodes/proxy n1',
    repeat: 'read',
  },
  {
    name: 'list with selectors, which are escaped',
    call: listCall(deployments, { namespace: 'default', labelSelector: 'a=b,c in (d)', limit: 500, continue: 'x=' }),
    method: 'GET',
    path: '/apis/apps/v1/namespaces/default/deployments?labelSelector=a%3Db%2Cc%20in%20(d)&limit=500&continue=x%3D',
    title: 'list deployments.apps default',
    repeat: 'read',
  },
  {
    name: 'list of all namespaces',
    call: listCall(pods, {
      resourceVersion: '7',
      resourceVersionMatch: 'NotOlderThan',
      fieldSelector: 'spec.nodeName=n',
    }),
    method: 'GET',
    path: '/api/v1/pods?fieldSelector=spec.nodeName%3Dn&resourceVersion=7&resourceVersionMatch=NotOlderThan',
    title: 'list pods',
    repeat: 'read',
  },
  {
    name: 'list of a shard',
    call: listCall(pods, { shardSelector: 'hash(namespace) < 8' }),
    method: 'GET',
    path: '/api/v1/pods?shardSelector=hash(namespace)%20%3C%208',
    title: 'list pods',
    repeat: 'read',
  },
  {
    name: 'list of what has no namespaces, whatever namespace is named',
    call: listCall(nodes, { namespace: 'default' }),
    method: 'GET',
    path: '/api/v1/nodes',
    title: 'list nodes default',
    repeat: 'read',
  },
  {
    name: 'watch',
    call: watchCall(pods, { resourceVersion: '7', allowWatchBookmarks: true, timeoutSeconds: 300 }),
    method: 'GET',
    path: '/api/v1/pods?watch=true&resourceVersion=7&allowWatchBookmarks=true&timeoutSeconds=300',
    title: 'watch pods',
    repeat: 'read',
  },
  {
    name: 'watch that begins with what there is',
    call: watchCall(pods, { labelSelector: 'a=b', resourceVersionMatch: 'NotOlderThan', sendInitialEvents: true }),
    method: 'GET',
    path: '/api/v1/pods?watch=true&labelSelector=a%3Db&resourceVersionMatch=NotOlderThan&sendInitialEvents=true',
    title: 'watch pods',
    repeat: 'read',
  },
  {
    name: 'create',
    call: createCall(pods, pod, { fieldManager: 'me', fieldValidation: 'Strict' }),
    method: 'POST',
    path: '/api/v1/namespaces/default/pods?fieldManager=me&fieldValidation=Strict',
    title: 'create pods default/web',
    repeat: 'once',
  },
  {
    name: 'create with a generated name',
    call: createCall(pods, { metadata: { namespace: 'default', generateName: 'web-' }, spec: {} } as never, {}),
    method: 'POST',
    path: '/api/v1/namespaces/default/pods',
    title: 'create pods default/web-*',
    repeat: 'once',
  },
  {
    name: 'create without any name',
    call: createCall(pods, { metadata: { namespace: 'default' } }, {}),
    method: 'POST',
    path: '/api/v1/namespaces/default/pods',
    title: 'create pods default/?',
    repeat: 'once',
  },
  {
    name: 'create of a cluster-scoped object',
    call: createCall(nodes, { metadata: { name: 'n1' } }, {}),
    method: 'POST',
    path: '/api/v1/nodes',
    title: 'create nodes n1',
    repeat: 'once',
  },
  {
    name: 'dry run of a create',
    call: createCall(pods, pod, { dryRun: true }),
    method: 'POST',
    path: '/api/v1/namespaces/default/pods?dryRun=All',
    title: 'create pods default/web',
    repeat: 'repeatable',
  },
  {
    name: 'create of a subresource',
    call: createCall(pods, { metadata: web }, { subresource: 'eviction' }),
    method: 'POST',
    path: '/api/v1/namespaces/default/pods/web/eviction',
    title: 'create pods/eviction default/web',
    repeat: 'once',
  },
  {
    name: 'update without a version',
    call: updateCall(pods, pod, {}),
    method: 'PUT',
    path: '/api/v1/namespaces/default/pods/web',
    title: 'update pods default/web',
    repeat: 'once',
  },
  {
    name: 'update of a version, of the status',
    call: updateCall(pods, { metadata: { ...web, resourceVersion: '7' } }, { subresource: 'status' }),
    method: 'PUT',
    path: '/api/v1/namespaces/default/pods/web/status',
    title: 'update pods/status default/web',
    repeat: 'repeatable',
  },
  {
    name: 'merge patch without a version',
    call: patchCall(pods, web, { type: 'merge', body: { metadata: { labels: {} } } }, {}),
    method: 'PATCH',
    path: '/api/v1/namespaces/default/pods/web',
    title: 'patch pods default/web',
    repeat: 'once',
  },
  {
    name: 'merge patch of a version',
    call: patchCall(pods, web, { type: 'merge', body: { metadata: { resourceVersion: '7' } } }, {}),
    method: 'PATCH',
    path: '/api/v1/namespaces/default/pods/web',
    title: 'patch pods default/web',
    repeat: 'repeatable',
  },
  {
    name: 'strategic merge patch of a version',
    call: patchCall(pods, web, { type: 'strategic', body: { metadata: { resourceVersion: '7' } } }, {}),
    method: 'PATCH',
    path: '/api/v1/namespaces/default/pods/web',
    title: 'patch pods default/web',
    repeat: 'repeatable',
  },
  {
    name: 'dry run of an apply',
    call: patchCall(configMaps, web, { type: 'apply', fieldManager: 'me', body: {} }, { dryRun: true }),
    method: 'PATCH',
    path: '/api/v1/namespaces/default/configmaps/web?dryRun=All&fieldManager=me',
    title: 'apply configmaps default/web',
    repeat: 'repeatable',
  },
  {
    name: 'JSON patch, whatever it tests',
    call: patchCall(
      pods,
      web,
      { type: 'json', body: [{ op: 'test', path: '/metadata/resourceVersion', value: '7' }] },
      {},
    ),
    method: 'PATCH',
    path: '/api/v1/namespaces/default/pods/web',
    title: 'patch pods default/web',
    repeat: 'once',
  },
  {
    name: 'server-side apply, also of a version',
    call: patchCall(
      configMaps,
      web,
      { type: 'apply', fieldManager: 'me', force: true, body: { metadata: { resourceVersion: '7' } } },
      { fieldManager: 'ignored' },
    ),
    method: 'PATCH',
    path: '/api/v1/namespaces/default/configmaps/web?fieldManager=me&force=true',
    title: 'apply configmaps default/web',
    repeat: 'once',
  },
  {
    name: 'delete by name',
    call: deleteCall(pods, web, { resourceVersion: '7' }),
    method: 'DELETE',
    path: '/api/v1/namespaces/default/pods/web',
    title: 'delete pods default/web',
    repeat: 'once',
  },
  {
    name: 'delete of one object',
    call: deleteCall(pods, web, { uid: 'u' }),
    method: 'DELETE',
    path: '/api/v1/namespaces/default/pods/web',
    title: 'delete pods default/web',
    repeat: 'repeatable',
  },
  {
    name: 'deleteCollection',
    call: deleteCollectionCall(pods, { namespace: 'default', labelSelector: 'a=b' }),
    method: 'DELETE',
    path: '/api/v1/namespaces/default/pods?labelSelector=a%3Db',
    title: 'deletecollection pods default',
    repeat: 'once',
  },
];

describe('each verb as an HTTP call', () => {
  it.each(calls)('$name', ({ call, method, path, title, repeat }) => {
    expect({ method: call.method, path: call.path, title: call.title, repeat: call.repeat }).toEqual({
      method,
      path,
      title,
      repeat,
    });
  });
});

describe('bodies', () => {
  const bodyOf = (call: Call): unknown => JSON.parse(call.body ?? '');

  it.each([
    { type: 'merge', contentType: 'application/merge-patch+json' },
    { type: 'strategic', contentType: 'application/strategic-merge-patch+json' },
    { type: 'apply', contentType: 'application/apply-patch+yaml', fieldManager: 'me' },
  ] as const)('a $type patch says that it is one', ({ contentType, ...patch }) => {
    const call = patchCall(configMaps, web, { ...patch, body: { data: {} } } as never, {});
    expect(call.headers).toEqual({ accept: 'application/json', 'content-type': contentType });
  });

  it('a list of metadata accepts whole objects from a server that knows nothing else', () => {
    expect(listCall(pods, { metadataOnly: true }).headers).toEqual({
      accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
    });
    expect(listCall(pods, {}).headers).toEqual({ accept: 'application/json' });
  });

  it('a JSON patch is sent as the list it is', () => {
    const body = [{ op: 'remove', path: '/spec' }] as const;
    const call = patchCall(pods, web, { type: 'json', body }, {});
    expect(call.headers?.['content-type']).toBe('application/json-patch+json');
    expect(bodyOf(call)).toEqual(body);
  });

  it('name the kind where the caller did not, and keep every field the caller gave', () => {
    expect(bodyOf(createCall(pods, { ...pod, future: 1 } as never, {}))).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      ...pod,
      future: 1,
    });
    expect(bodyOf(patchCall(configMaps, web, { type: 'apply', fieldManager: 'me', body: {} }, {}))).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
    });
  });

  it('leave the kind of a subresource alone', () => {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: web };
    expect(bodyOf(createCall(pods, eviction, { subresource: 'eviction' }))).toEqual(eviction);
    expect(bodyOf(createCall(pods, { metadata: web }, { subresource: 'token' }))).toEqual({ metadata: web });
  });

  it.each(['status', 'resize'])(
    'of an update are named and sent like those of a create, also for its %s',
    (subresource) => {
      const call = updateCall(pods, pod, { subresource });
      expect(call.headers).toEqual({ accept: 'application/json', 'content-type': 'application/json' });
      expect(bodyOf(call)).toEqual({ apiVersion: 'v1', kind: 'Pod', ...pod });
    },
  );

  it('are asked for as JSON, and sent as JSON', () => {
    expect(getCall(pods, web, {}).headers).toEqual({ accept: 'application/json' });
    const sent = { accept: 'application/json', 'content-type': 'application/json' };
    expect(createCall(pods, pod, {}).headers).toEqual(sent);
    expect(deleteCall(pods, web, {}).headers).toEqual(sent);
    expect(deleteCollectionCall(pods, { namespace: 'default' }).headers).toEqual(sent);
  });

  it('escape what Go escapes, so that the API server finds an embedded object unchanged when it writes it again', () => {
    const data = { command: 'a <b >c && d', separators: '\u2028\u2029' };
    const call = createCall(configMaps, { metadata: web, data } as never, {});
    expect(call.body).toContain(String.raw`{"command":"a \u003cb \u003ec \u0026\u0026 d","separators":"\u2028\u2029"}`);
    expect(bodyOf(call)).toMatchObject({ data });
  });

  it('are of a subresource when the call is', () => {
    expect(createCall(pods, { metadata: web }, { subresource: 'eviction' }).subresource).toBe('eviction');
    expect(updateCall(pods, pod, { subresource: 'status' }).subresource).toBe('status');
    const patch = { type: 'merge', body: {} } as const;
    expect(patchCall(pods, web, patch, { subresource: 'scale' }).subresource).toBe('scale');
  });

  it.each([
    { options: {}, preconditions: {} },
    { options: { uid: 'u' }, preconditions: { preconditions: { uid: 'u' } } },
    { options: { resourceVersion: '7' }, preconditions: { preconditions: { resourceVersion: '7' } } },
  ])('of a delete with $options have no other conditions', ({ options, preconditions }) => {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions' };
    expect(bodyOf(deleteCall(pods, web, options))).toEqual({ ...body, ...preconditions });
    const all = { namespace: 'default', propagationPolicy: 'Orphan' } as const;
    expect(bodyOf(deleteCollectionCall(pods, all))).toEqual({ ...body, propagationPolicy: 'Orphan' });
  });

  it('carry the conditions of a delete', () => {
    const options = {
      uid: 'u',
      resourceVersion: '7',
      propagationPolicy: 'Orphan',
      gracePeriodSeconds: 0,
      dryRun: true,
    } as const;
    expect(bodyOf(deleteCall(pods, web, options))).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Orphan',
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u', resourceVersion: '7' },
      dryRun: ['All'],
    });
  });
});

describe('requests that cannot be meant', () => {
  it('a namespaced object without a namespace is refused before it is sent', () => {
    expect(() => createCall(pods, { metadata: { name: 'web' } }, {})).toThrow('Pod "web" needs a namespace');
    expect(() => getCall(pods, { name: 'web' }, {})).toThrow('Pod "web" needs a namespace');
  });

  it('an update needs a name', () => {
    expect(() => updateCall(pods, { metadata: { namespace: 'default' } }, {})).toThrow('Pod has no metadata.name');
  });
});
