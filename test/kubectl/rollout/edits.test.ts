import { describe, expect, it } from '@jest/globals';
import { readRevision } from '../../../src/kinds/my-deployment/plan/record.ts';
import { findRevision, ownRevisions, presentRevision, previousRevision } from '../../../src/kubectl/revisions.ts';
import { paused, restarted, resumed } from '../../../src/kubectl/rollout/edits.ts';
import { historyTable } from '../../../src/kubectl/rollout/history.ts';
import { rolledBack } from '../../../src/kubectl/rollout/undo.ts';
import { parseImages, withImages } from '../../../src/kubectl/set-image.ts';
import { myDeployment, NOW, revision, template } from '../../kinds/my-deployment/fixture.ts';

const CAUSE = 'kubernetes.io/change-cause';
const object = myDeployment({ version: 'v2', metadata: { annotations: { [CAUSE]: 'new', mine: 'stays' } } });
const recorded = [
  revision(object, 'v1', { number: 1, replicas: 0, annotations: { [CAUSE]: 'old' } }),
  revision(object, 'v2', { number: 2, replicas: 1 }),
];

describe('pause, resume, restart', () => {
  it('change one field each, and nothing twice', () => {
    expect(paused(object).spec).toEqual({ ...object.spec, paused: true });
    expect(resumed(paused(object)).spec).toEqual({ ...object.spec, paused: false });
    expect(() => paused(paused(object))).toThrow('mydeployments.kubebuilder.zq.com "web" is already paused');
    expect(() => resumed(object)).toThrow('mydeployments.kubebuilder.zq.com "web" is not paused');
  });

  it('a restart marks the template with the time, and is refused while paused', () => {
    const { template: marked } = restarted(object, NOW).spec;
    expect(marked).toEqual({
      ...object.spec.template,
      metadata: {
        labels: { app: 'web' },
        annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T12:00:00Z' },
      },
    });
    expect(() => restarted(paused(object), NOW)).toThrow("can't restart a paused rollout");
  });
});

describe('set image', () => {
  it.each([
    { words: ['web=web:v9'], images: ['web:v9'] },
    { words: ['*=all:1'], images: ['all:1'] },
    { words: ['*=all:1', 'web=web:v9'], images: ['web:v9'] },
    { words: ['web=registry:5000/web@sha256:a=b'], images: ['registry:5000/web@sha256:a=b'] },
  ])('$words gives $images', ({ words, images }) => {
    const { template: changed } = withImages(object, parseImages(words)).spec;
    expect(changed.spec.containers.map(({ image }) => image)).toEqual(images);
  });

  it('reaches init containers', () => {
    const spec = { ...template('v1').spec, initContainers: [{ name: 'init', image: 'init:v1' }] };
    const initiated = { ...object, spec: { ...object.spec, template: { ...object.spec.template, spec } } };
    const changed = withImages(initiated, parseImages(['init=init:v2'])).spec.template.spec;
    expect([changed.initContainers?.[0]?.image, changed.containers[0]?.image]).toEqual(['init:v2', 'web:v1']);
  });

  it.each(['web', '=x', 'web='])('"%s" is no assignment', (word) => {
    expect(() => parseImages([word])).toThrow(`"${word}" is not of the form CONTAINER=IMAGE`);
  });

  it('names the containers there are when one is not', () => {
    expect(() => withImages(object, parseImages(['db=x']))).toThrow(
      'unable to find container named "db"; there is web',
    );
  });
});

describe('history and undo', () => {
  const revisions = ownRevisions(recorded, object.metadata.uid);

  it('knows which revisions are its own, which is in force and which came before', () => {
    const stranger = revision(myDeployment({ metadata: { uid: 'other' } }), 'v3', { number: 3, replicas: 1 });
    expect(ownRevisions([...recorded.toReversed(), stranger], 'web-uid').map(({ number }) => number)).toEqual([1, 2]);
    expect(presentRevision(object, revisions)?.number).toBe(2);
    expect(previousRevision(object, revisions).number).toBe(1);
    expect(() => previousRevision(object, revisions.slice(1))).toThrow(
      'no rollout history found for mydeployment "web"',
    );
    expect(() => findRevision(revisions, 7)).toThrow('unable to find specified revision 7 in history');
  });

  it('lists them with their causes', () => {
    expect(historyTable('web', revisions)).toBe(
      'mydeployment.kubebuilder.zq.com/web\nREVISION  CHANGE-CAUSE\n1         old\n2         <none>\n',
    );
  });

  it('goes back to a template and its cause, and leaves the rest', () => {
    const undone = rolledBack(object, findRevision(revisions, 1));
    expect(undone.spec).toEqual({ ...object.spec, template: template('v1') });
    expect(undone.metadata.annotations).toEqual({ mine: 'stays', [CAUSE]: 'old' });
    expect(rolledBack(object, findRevision(revisions, 2))).toBe(object);
  });

  it('does not undo while paused, nor to what cannot be read', () => {
    expect(() => rolledBack(paused(object), findRevision(revisions, 1))).toThrow(
      /^cannot rollback a paused mydeployment/,
    );
    const unreadable = readRevision({ ...(recorded[0] as (typeof recorded)[number]), data: 'x' });
    expect(() => rolledBack(object, unreadable)).toThrow('revision 1 cannot be read');
  });
});
