import { appendFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { AuditLog, auditPolicy, countRequests } from './audit-log.ts';

const OURS = 'system:serviceaccount:mydeployment-system:mydeployment-controller-manager';

interface Line {
  readonly verb: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly user?: string;
  readonly stage?: string;
  readonly uri?: string;
}

/** A line as the API server writes it, with the fields that matter and some that do not. */
function line({ verb, resource, subresource, user = OURS, stage = 'ResponseComplete', uri = '/' }: Line): string {
  const objectRef = resource && { resource, namespace: 'bench', apiVersion: 'v1', ...(subresource && { subresource }) };
  const event = { kind: 'Event', level: 'Metadata', stage, requestURI: uri, verb, user: { username: user } };
  return `${JSON.stringify({ ...event, ...(objectRef && { objectRef }) })}\n`;
}

const count = (...lines: readonly Line[]) => countRequests(lines.map(line).join(''), [OURS]);

describe('countRequests', () => {
  it.each(['create', 'update', 'patch', 'delete', 'deletecollection'])('takes %s for a write', (verb) => {
    expect(count({ verb, resource: 'pods' })).toMatchObject({ writes: 1, events: 0, reads: 0 });
  });

  it.each(['get', 'list', 'watch'])('takes %s for a read', (verb) => {
    expect(count({ verb, resource: 'leases' })).toMatchObject({ writes: 0, reads: 1, leaseWrites: 0 });
  });

  it('counts an Event as a write, and says how many there were', () => {
    const requests = count({ verb: 'create', resource: 'events' }, { verb: 'create', resource: 'pods' });
    expect(requests).toMatchObject({ writes: 2, events: 1 });
  });

  it('keeps renewals of a Lease apart', () => {
    expect(count({ verb: 'update', resource: 'leases' })).toMatchObject({ writes: 0, leaseWrites: 1 });
  });

  it('keeps dry runs apart, which store nothing', () => {
    const uri = '/api/v1/namespaces/bench/podtemplates?dryRun=All&fieldManager=x';
    expect(count({ verb: 'create', resource: 'podtemplates', uri })).toMatchObject({ writes: 0, dryRuns: 1 });
  });

  it('counts a request once, when it is answered', () => {
    const watch = { verb: 'watch', resource: 'pods' };
    expect(count({ ...watch, stage: 'ResponseStarted' }, watch)).toMatchObject({ reads: 1 });
  });

  it('leaves other users out, even one whose name begins alike', () => {
    const pods = { verb: 'create', resource: 'pods' };
    expect(count({ ...pods, user: 'system:apiserver' }, { ...pods, user: `${OURS}-2` })).toMatchObject({ writes: 0 });
  });

  it('adds up several users of one contender', () => {
    const [deployment, replicaSet] = ['deployment-controller', 'replicaset-controller'];
    const log = [deployment, replicaSet].map((user) => line({ verb: 'create', resource: 'pods', user })).join('');
    expect(countRequests(log, [deployment as string, replicaSet as string])).toMatchObject({ writes: 2 });
  });

  it('says which verbs were used on what', () => {
    const status = { verb: 'patch', resource: 'mydeployments', subresource: 'status' };
    const { byVerb } = count(status, status, { verb: 'get', uri: '/version' });
    expect(byVerb).toEqual({ 'patch mydeployments/status': 2, 'get /version': 1 });
  });

  it('leaves a line that is still being written for later', () => {
    const log = line({ verb: 'create', resource: 'pods' });
    expect(countRequests(log + log.slice(0, 40), [OURS])).toMatchObject({ writes: 1 });
  });
});

describe('AuditLog', () => {
  const folder = mkdtemp(join(tmpdir(), 'audit-'));
  afterAll(async () => rm(await folder, { recursive: true }));

  it('counts what came after the mark, and begins with a log that is not there yet', async () => {
    const path = join(await folder, 'audit.log');
    const log = new AuditLog(path);
    const start = await log.mark();
    expect(await log.since(start, [OURS])).toMatchObject({ writes: 0, reads: 0 });
    await appendFile(path, line({ verb: 'create', resource: 'pods' }));
    const later = await log.mark();
    await appendFile(path, line({ verb: 'get', resource: 'pods' }));
    expect(await log.since(start, [OURS])).toMatchObject({ writes: 1, reads: 1 });
    expect(await log.since(later, [OURS])).toMatchObject({ writes: 0, reads: 1 });
  });

  it('loses nothing when the API server begins a new file, however often', async () => {
    const path = join(await folder, 'rotated.log');
    const log = new AuditLog(path);
    const write = (verb: string) => appendFile(path, line({ verb, resource: 'pods' }));
    const rotate = (time: string) => rename(path, path.replace('.log', `-2026-11-16T${time}.000.log`));
    await write('create');
    await write('get');
    const mark = await log.mark();
    await write('patch');
    await rotate('09-59-59');
    expect(await log.since(mark, [OURS])).toMatchObject({ writes: 1 });
    await write('update');
    const between = await log.mark();
    await rotate('10-00-00');
    await write('delete');
    const { byVerb } = await log.since(mark, [OURS]);
    expect(byVerb).toEqual({ 'patch pods': 1, 'update pods': 1, 'delete pods': 1 });
    expect((await log.since(between, [OURS])).byVerb).toEqual({ 'delete pods': 1 });
  });
});

describe('auditPolicy', () => {
  it('logs these users and, last, nobody else', () => {
    expect(auditPolicy([OURS])).toMatchObject({ rules: [{ level: 'Metadata', users: [OURS] }, { level: 'None' }] });
  });
});
