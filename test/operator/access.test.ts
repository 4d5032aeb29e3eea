import { describe, expect, it } from '@jest/globals';
import type { KindName } from '../../src/kinds/kind-name.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import type { OperatorProps } from '../../src/operator/props.ts';
import { type Rendered, render, renderAll } from './rendered.ts';

const operator = {
  kind: 'ServiceAccount',
  name: 'mydeployment-controller-manager',
  namespace: 'mydeployment-system',
};

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** `group/resource: verbs` a line, as short as rights can be said. */
function rights(role: Rendered | undefined): string[] {
  const rules = role?.rules as readonly Rule[];
  return rules.map(({ apiGroups, resources, resourceNames, verbs }) => {
    const names = resourceNames === undefined ? '' : ` ${resourceNames}`;
    return `${apiGroups}/${resources}${names}: ${verbs.join(' ')}`;
  });
}

describe('what the operator may do', () => {
  it('is what its kinds need, everywhere', () => {
    expect(rights(render('ClusterRole', 'mydeployment-manager-role'))).toEqual([
      'kubebuilder.zq.com/mydeployments: get list watch patch',
      'kubebuilder.zq.com/mydeployments/status: patch',
      'kubebuilder.zq.com/mydeployments/finalizers: update',
      '/pods: get list watch create patch delete',
      'apps/controllerrevisions: get list watch create patch delete',
      '/pods/status: patch',
      '/pods/resize: patch',
      '/podtemplates: create',
      'kubebuilder.zq.com/rolloutpolicies: list watch patch',
      '/nodes: list watch',
      'policy/poddisruptionbudgets: list watch',
      '/events: create patch',
    ]);
    expect(render('ClusterRoleBinding', 'mydeployment-manager-rolebinding')).toMatchObject({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'mydeployment-manager-role' },
      subjects: [operator],
    });
  });

  it('is that only in its namespaces, when it has some', () => {
    const objects = renderAll({ namespaces: ['blue', 'green'] });
    const bindings = objects.filter(({ metadata }) => metadata.name === 'mydeployment-manager-rolebinding');
    expect(bindings).toHaveLength(2);
    for (const [index, namespace] of ['blue', 'green'].entries()) {
      expect(bindings[index]).toMatchObject({
        kind: 'RoleBinding',
        metadata: { namespace },
        roleRef: { kind: 'ClusterRole', name: 'mydeployment-manager-role' },
        subjects: [operator],
      });
    }
  });

  it('is, besides, to see nodes, when a kind needs to', () => {
    const props: Partial<OperatorProps> = { namespaces: ['blue'], kinds: ['MyDaemonSet'] };
    expect(rights(render('ClusterRole', 'mydeployment-manager-cluster-role', props))).toEqual(['/nodes: list watch']);
    expect(render('ClusterRoleBinding', 'mydeployment-manager-cluster-rolebinding', props)).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: 'mydeployment-manager-cluster-role' },
      subjects: [operator],
    });
    expect(rights(render('ClusterRole', 'mydeployment-manager-role', props)).join()).not.toContain('nodes');
    const withoutNodes = { ...props, kinds: ['ImoocPod'] as const };
    expect(render('ClusterRole', 'mydeployment-manager-cluster-role', withoutNodes)).toBeUndefined();
  });

  it('is granted once for each resource, however many kinds need it', () => {
    const kinds = Object.keys(KINDS) as KindName[];
    const all = rights(render('ClusterRole', 'mydeployment-manager-role', { kinds }));
    expect(all).toContain('/events: create patch');
    const resources = all.map((right) => right.split(':')[0]);
    expect(resources).toEqual([...new Set(resources)]);
    for (const { definition } of Object.values(KINDS)) {
      expect(resources).toContain(`${definition.resource.group}/${definition.resource.plural}`);
    }
  });

  it('is its own Lease at home', () => {
    expect(rights(render('Role', 'mydeployment-leader-election-role'))).toEqual([
      'coordination.k8s.io/leases mydeployment-controller-manager: get update',
      'coordination.k8s.io/leases: create',
    ]);
    expect(render('RoleBinding', 'mydeployment-leader-election-rolebinding')).toMatchObject({
      metadata: { namespace: 'mydeployment-system' },
      roleRef: { kind: 'Role', name: 'mydeployment-leader-election-role' },
      subjects: [operator],
    });
  });

  it('is every Lease at home when the replicas share the namespaces', () => {
    expect(rights(render('Role', 'mydeployment-leader-election-role', { shards: 4 }))).toContain(
      'coordination.k8s.io/leases: create get list watch update delete',
    );
  });

  it('is its own Secret and webhook configurations, when it manages certificates itself', () => {
    expect(rights(render('Role', 'mydeployment-certificates-role'))).toEqual([
      '/secrets mydeployment-webhook-certificates: get list watch update',
      '/secrets: create',
    ]);
    expect(rights(render('ClusterRole', 'mydeployment-certificates-role'))).toEqual([
      'admissionregistration.k8s.io/mutatingwebhookconfigurations mydeployment-mutating-webhook-configuration: get list watch patch',
      'admissionregistration.k8s.io/validatingwebhookconfigurations mydeployment-validating-webhook-configuration: get list watch patch',
    ]);
    for (const kind of ['RoleBinding', 'ClusterRoleBinding']) {
      expect(render(kind, 'mydeployment-certificates-rolebinding')).toMatchObject({ subjects: [operator] });
    }
  });

  it.each([{ props: { certificates: 'cert-manager' as const } }, { props: { webhooks: false } }])(
    'has nothing to do with Secrets with $props',
    ({ props }) => {
      const names = renderAll(props).map(({ metadata }) => metadata.name);
      expect(names.filter((name) => name.includes('certificates-role'))).toEqual([]);
    },
  );

  it('is asking who reads its metrics, and who may do so is another role', () => {
    expect(rights(render('ClusterRole', 'mydeployment-metrics-auth-role'))).toEqual([
      'authentication.k8s.io/tokenreviews: create',
      'authorization.k8s.io/subjectaccessreviews: create',
    ]);
    expect(render('ClusterRoleBinding', 'mydeployment-metrics-auth-rolebinding')).toMatchObject({
      subjects: [operator],
    });
    expect(render('ClusterRole', 'mydeployment-metrics-reader')).toMatchObject({
      rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
    });
  });

  it('never is a wildcard', () => {
    const all = renderAll().flatMap(({ rules }) => (rules as readonly Rule[] | undefined) ?? []);
    expect(all.length).toBeGreaterThan(20);
    expect(JSON.stringify(all)).not.toContain('*');
  });

  it('comes with a token only where the Deployment mounts it', () => {
    expect(render('ServiceAccount', 'mydeployment-controller-manager')).toMatchObject({
      automountServiceAccountToken: false,
    });
  });
});

describe('what people may do with objects of our kinds', () => {
  it('is added to the roles that the cluster has for people', () => {
    const viewer = render('ClusterRole', 'mydeployment-mydeployment-viewer-role');
    expect(viewer?.metadata.labels).toMatchObject({ 'rbac.authorization.k8s.io/aggregate-to-view': 'true' });
    expect(rights(viewer)).toEqual([
      'kubebuilder.zq.com/mydeployments: get list watch',
      'kubebuilder.zq.com/mydeployments/status: get',
      'kubebuilder.zq.com/mydeployments/scale: get',
    ]);
    const editor = render('ClusterRole', 'mydeployment-mydeployment-editor-role');
    expect(editor?.metadata.labels).toMatchObject({
      'rbac.authorization.k8s.io/aggregate-to-edit': 'true',
      'rbac.authorization.k8s.io/aggregate-to-admin': 'true',
    });
    expect(rights(editor)).toEqual([
      'kubebuilder.zq.com/mydeployments: get list watch create delete deletecollection patch update',
      'kubebuilder.zq.com/mydeployments/status: get',
      'kubebuilder.zq.com/mydeployments/scale: get patch update',
    ]);
  });

  it('covers every kind', () => {
    const roles = renderAll({ kinds: Object.keys(KINDS) as KindName[] }).filter(({ metadata }) =>
      /-(viewer|editor)-role$/.test(metadata.name),
    );
    expect(roles).toHaveLength(2 * Object.keys(KINDS).length);
  });
});
