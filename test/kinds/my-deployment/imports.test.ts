// The typed construct that `cdk8s import` makes of the CRD. This file is type-checked like all others, so the sample
// also proves that the generated types accept what people write and refuse what they mistype.

import { describe, expect, it } from '@jest/globals';
import { App, Chart, Testing } from 'cdk8s';
import {
  KubeMyDeployment,
  type KubeMyDeploymentProps,
  MyDeploymentSpecTemplateSpecContainersResourcesLimits as Limit,
  MyDeploymentSpecStrategyRollingUpdateMaxSurge as MaxSurge,
  MyDeploymentSpecTemplateSpecContainersReadinessProbeHttpGetPort as Port,
  MyDeploymentSpecStrategyType as StrategyType,
} from '../../../src/kinds/my-deployment/imports.gen.ts';
import { myDeployment } from '../../../src/kinds/my-deployment/schema.ts';
import type { Schema } from '../../../src/runtime/custom-resource.ts';
import { everyField } from '../../support/schema-paths.ts';

function render(props: KubeMyDeploymentProps): unknown {
  const chart = new Chart(new App(), 'test');
  new KubeMyDeployment(chart, 'sample', props);
  const [manifest] = Testing.synth(chart);
  return manifest;
}

/** A value as the construct's props want it: dates and int-or-strings are objects there, names have another case. */
function asProps(value: unknown, schema: Schema): unknown {
  if (schema['x-kubernetes-int-or-string']) return { value };
  if (schema.format === 'date-time') return new Date(value as string);
  const { items, additionalProperties, properties } = schema;
  if (items !== undefined) return (value as unknown[]).map((item) => asProps(item, items));
  if (typeof value !== 'object' || (additionalProperties ?? properties) === undefined) return value;
  const fields = Object.entries(value as object).map(
    ([name, field]) => [name, asProps(field, additionalProperties ?? properties?.[name] ?? {})] as const,
  );
  return properties === undefined ? Object.fromEntries(fields) : inAnyCase(Object.fromEntries(fields));
}

/** An object whose fields answer in any case: `hostIP` is called `hostIp` in cdk8s. */
function inAnyCase(fields: Readonly<Record<string, unknown>>): unknown {
  const byName = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
  return new Proxy(fields, { get: (_, name) => byName.get(String(name).toLowerCase()) });
}

describe('KubeMyDeployment', () => {
  it('renders what a person writes', () => {
    const manifest = render({
      metadata: { name: 'web', labels: { team: 'blue' } },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        strategy: { type: StrategyType.ROLLING_UPDATE, rollingUpdate: { maxSurge: MaxSurge.fromString('50%') } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [
              {
                name: 'web',
                image: 'nginx:1.27',
                ports: [{ containerPort: 80 }],
                env: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
                readinessProbe: { httpGet: { port: Port.fromNumber(80), path: '/' } },
                resources: { limits: { cpu: Limit.fromString('500m'), memory: Limit.fromNumber(1024) } },
                volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
              },
            ],
            volumes: [{ name: 'scratch', emptyDir: {} }],
          },
        },
      },
    });
    expect(manifest).toEqual({
      apiVersion: 'kubebuilder.zq.com/v1beta1',
      kind: 'MyDeployment',
      metadata: { name: 'web', labels: { team: 'blue' } },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '50%' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [
              {
                name: 'web',
                image: 'nginx:1.27',
                ports: [{ containerPort: 80 }],
                env: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
                readinessProbe: { httpGet: { port: 80, path: '/' } },
                resources: { limits: { cpu: '500m', memory: 1024 } },
                volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
              },
            ],
            volumes: [{ name: 'scratch', emptyDir: {} }],
          },
        },
      },
    });
  });

  it('loses no field of the schema', () => {
    const spec = everyField(myDeployment.spec);
    const props = { spec: asProps(spec, myDeployment.spec) } as unknown as KubeMyDeploymentProps;
    expect(KubeMyDeployment.manifest(props)).toEqual({ ...KubeMyDeployment.GVK, spec });
  });

  it('refuses mistyped fields when it compiles, for it renders only the names it knows', () => {
    const selector = { matchLabels: { app: 'web' } };
    const template = { spec: { containers: [{ name: 'web' }] } };
    // @ts-expect-error the field is called replicas
    expect(render({ spec: { selector, template, replica: 3 } })).not.toHaveProperty('spec.replica');
    // @ts-expect-error a container has a name
    expect(render({ spec: { selector, template: { spec: { containers: [{ image: 'nginx' }] } } } })).toHaveProperty(
      'spec.template.spec.containers',
      [{ image: 'nginx' }],
    );
    // @ts-expect-error a selector is required
    expect(render({ spec: { template } })).not.toHaveProperty('spec.selector');
  });
});
