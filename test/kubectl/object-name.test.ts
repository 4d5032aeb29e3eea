import { describe, expect, it } from '@jest/globals';
import { myDeploymentName, workloadName } from '../../src/kubectl/object-name.ts';

describe('the name of an object', () => {
  it.each([
    'web',
    'md/web',
    'mydeployment/web',
    'mydeployments/web',
    'MyDeployment/web',
    'mydeployments.kubebuilder.zq.com/web',
    'mydeployment.kubebuilder.zq.com/web',
  ])('"%s" is MyDeployment web', (text) => {
    expect(myDeploymentName(text)).toBe('web');
  });

  it.each(['deployment/web', 'Web', 'md/', 'md/a/b', '-web', `md/${'a'.repeat(254)}`])('"%s" is none', (text) => {
    expect(() => myDeploymentName(text)).toThrow(/is no/);
  });

  it.each([
    { text: 'deployment/web', kind: 'Deployment' },
    { text: 'deploy/web', kind: 'Deployment' },
    { text: 'deployments.apps/web', kind: 'Deployment' },
    { text: 'md/web', kind: 'MyDeployment' },
  ])('"$text" is a $kind', ({ text, kind }) => {
    expect(workloadName(text)).toEqual({ kind, name: 'web' });
  });

  it('has to say which of the two kinds is meant', () => {
    expect(() => workloadName('web')).toThrow('say which kind: deployment/web or md/web, got "web"');
  });
});
