// The installation of an operator that is not this project's.

import { describe, expect, it } from '@jest/globals';
import { Testing } from 'cdk8s';
import { InstallationChart } from '../../src/operator/installation-chart.ts';
import type { InstallationProps } from '../../src/operator/props.ts';
import type { CustomResource } from '../../src/runtime/custom-resource.ts';
import type { InstalledKind } from '../../src/runtime/installed-kind.ts';

const resource = { group: 'example.com', version: 'v2', kind: 'Site', plural: 'sites', namespaced: false };
const fields = { description: '', columns: [], spec: { type: 'object' }, status: { type: 'object' } } as const;
const definition: CustomResource = { ...fields, resource, singular: 'site', shortNames: [], categories: [] };
const conversion = { toStored: <T>(object: T): T => object, fromStored: <T>(object: T): T => object };
const versioned = { ...definition, otherVersions: [{ ...fields, name: 'v1', served: true, conversion }] };
const siteKind: InstalledKind = {
  definition,
  permissions: [
    { group: 'example.com', resource: 'sites', verbs: ['watch'] },
    { group: '', resource: 'pods', verbs: ['list'] },
  ],
  admission: ['validate'],
};

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: object };
  // biome-ignore lint/suspicious/noExplicitAny: objects of many kinds
  readonly [field: string]: any;
}

function render(props: Partial<InstallationProps> = {}): Rendered[] {
  const all = { name: 'sites', kinds: [siteKind], image: 'sites:1', ...props };
  return Testing.synth(new InstallationChart(Testing.app(), 'chart', all));
}

const named = (objects: readonly Rendered[], kind: string, name: string): Rendered | undefined =>
  objects.find((each) => each.kind === kind && each.metadata.name === name);

describe('an installation', () => {
  it('has names that follow from that of the operator, and nothing of ours', () => {
    const objects = render();
    expect(JSON.stringify(objects)).not.toMatch(/mydeployment/i);
    expect(named(objects, 'Deployment', 'sites-controller-manager')?.metadata.namespace).toBe('sites-system');
    expect(named(objects, 'ClusterRole', 'sites-site-editor-role')).toBeDefined();
    const webhook = named(objects, 'ValidatingWebhookConfiguration', 'sites-validating-webhook-configuration');
    expect(webhook?.webhooks[0].clientConfig.service).toMatchObject({
      name: 'sites-webhook-service',
      path: '/validate-example-com-v2-site',
    });
  });

  it('hands its own environment to the operator', () => {
    const deployment = named(render({ env: { REGION: 'north' } }), 'Deployment', 'sites-controller-manager');
    expect(deployment?.spec.template.spec.containers[0].env).toContainEqual({ name: 'REGION', value: 'north' });
  });

  it('grants what has no namespace everywhere, and the rest where the operator works', () => {
    const objects = render({ namespaces: ['blue'] });
    const inside = named(objects, 'ClusterRole', 'sites-manager-role');
    const outside = named(objects, 'ClusterRole', 'sites-manager-cluster-role');
    expect(inside?.rules).toEqual([{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }]);
    expect(outside?.rules).toEqual([{ apiGroups: ['example.com'], resources: ['sites'], verbs: ['watch'] }]);
  });

  it.each([
    { props: { name: 'My_Sites' }, says: 'name "My_Sites" is' },
    { props: { kinds: [] }, says: 'kinds must name at least one kind' },
  ])('refuses $props', ({ props, says }) => {
    expect(() => render(props)).toThrow(says);
  });
});

describe('an installation of a kind with a conversion', () => {
  const kinds = [{ ...siteKind, definition: versioned }];
  const clientConfig = {
    service: { namespace: 'sites-system', name: 'sites-webhook-service', path: '/convert', port: 443 },
  };

  it('has a CRD that names the webhook of this operator', () => {
    const crd = named(render({ kinds, includeCrds: true }), 'CustomResourceDefinition', 'sites.example.com');
    expect(crd?.spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: { clientConfig, conversionReviewVersions: ['v1'] },
    });
    expect(crd?.metadata.annotations).toBeUndefined();
  });

  it('lets cert-manager keep its CA there', () => {
    const props = { kinds, includeCrds: true, certificates: 'cert-manager' } as const;
    const crd = named(render(props), 'CustomResourceDefinition', 'sites.example.com');
    expect(crd?.metadata.annotations).toEqual({
      'cert-manager.io/inject-ca-from': 'sites-system/sites-webhook-authority',
    });
  });

  it('may change that CRD, and migrate what is stored, unless it is confined to namespaces', () => {
    const rule = (verbs: readonly string[], more = '') => ({
      apiGroups: ['apiextensions.k8s.io'],
      resources: [`customresourcedefinitions${more}`],
      resourceNames: ['sites.example.com'],
      verbs,
    });
    const objects = render({ kinds });
    expect(named(objects, 'ClusterRole', 'sites-certificates-role')?.rules).toContainEqual(
      rule(['get', 'list', 'watch', 'patch']),
    );
    expect(named(objects, 'ClusterRole', 'sites-storage-migration-role')?.rules).toEqual([
      rule(['get']),
      rule(['patch'], '/status'),
      { apiGroups: ['example.com'], resources: ['sites'], verbs: ['patch'] },
    ]);
    expect(
      named(render({ kinds, namespaces: ['blue'] }), 'ClusterRole', 'sites-storage-migration-role'),
    ).toBeUndefined();
    expect(named(render(), 'ClusterRole', 'sites-storage-migration-role')).toBeUndefined();
  });
});
