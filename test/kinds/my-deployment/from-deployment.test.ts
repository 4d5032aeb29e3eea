import { describe, expect, it } from '@jest/globals';
import { ApiObject, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { MyDeployment } from '../../../src/kinds/my-deployment/construct/construct.ts';

const spec = {
  replicas: 3,
  selector: { matchLabels: { app: 'web' } },
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'nginx', future: 1 }] },
  },
};
const asMyDeployment = { apiVersion: 'kubebuilder.zq.com/v1beta1', kind: 'MyDeployment' };

describe('MyDeployment.fromDeployment', () => {
  it('turns a cdk8s-plus Deployment into a MyDeployment with the same name and spec, whatever is done to it later', () => {
    const before = Testing.chart();
    const original = new kplus.Deployment(before, 'web', { containers: [{ image: 'nginx', portNumber: 80 }] });
    original.addContainer({ image: 'sidecar', name: 'sidecar' });
    const [deployment] = Testing.synth(before);

    const chart = Testing.chart();
    const source = new kplus.Deployment(chart, 'web', { containers: [{ image: 'nginx', portNumber: 80 }] });
    MyDeployment.fromDeployment(chart, 'my-web', source);
    source.addContainer({ image: 'sidecar', name: 'sidecar' });
    source.exposeViaService();

    const manifests = Testing.synth(chart);
    expect(manifests.map(({ kind }) => kind)).toEqual(['Service', 'MyDeployment']);
    expect(manifests[1]).toEqual({ ...deployment, ...asMyDeployment });
  });

  it('turns an object of an included file, keeping fields that nobody here knows', () => {
    const chart = Testing.chart();
    const metadata = { name: 'web', namespace: 'shop', labels: { team: 'blue' } };
    const source = new ApiObject(chart, 'included', { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec });
    MyDeployment.fromDeployment(chart, 'web', source);
    expect(Testing.synth(chart)).toEqual([{ ...asMyDeployment, metadata, spec }]);
  });

  it('turns a manifest, leaving behind what was only true of the Deployment', () => {
    const chart = Testing.chart();
    const annotations = { 'deployment.kubernetes.io/revision': '7', 'kubernetes.io/change-cause': 'new logo' };
    const metadata = { name: 'web', uid: 'a-b-c', resourceVersion: '42', annotations };
    MyDeployment.fromDeployment(chart, 'web', { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec });
    expect(Testing.synth(chart)).toEqual([
      { ...asMyDeployment, metadata: { name: 'web', annotations: { 'kubernetes.io/change-cause': 'new logo' } }, spec },
    ]);
  });

  it('can be autoscaled', () => {
    const chart = Testing.chart();
    const source = new kplus.Deployment(chart, 'web', { containers: [{ image: 'nginx' }] });
    const target = MyDeployment.fromDeployment(chart, 'my-web', source);
    new kplus.HorizontalPodAutoscaler(chart, 'hpa', { target, maxReplicas: 5 });
    const [md, hpa] = Testing.synth(chart);
    expect(md.spec).not.toHaveProperty('replicas');
    expect(hpa.spec.scaleTargetRef).toEqual({ ...asMyDeployment, name: md.metadata.name });
  });

  it('refuses an autoscaler that looks for the Deployment', () => {
    const chart = Testing.chart();
    const source = new kplus.Deployment(chart, 'web', { containers: [{ image: 'nginx' }] });
    MyDeployment.fromDeployment(chart, 'my-web', source);
    new kplus.HorizontalPodAutoscaler(chart, 'hpa', { target: source, maxReplicas: 5 });
    expect(() => Testing.synth(chart)).toThrow(
      '[test/my-web] the autoscaler of Deployment "test-web-c8ba1bf5" must target what fromDeployment() returned',
    );
  });

  it('refuses other kinds with its path', () => {
    const source = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' }, spec };
    expect(() => MyDeployment.fromDeployment(Testing.chart(), 'db', source)).toThrow(
      'test/db: needs an apps/v1 Deployment, got apps/v1 StatefulSet "db"',
    );
  });
});
