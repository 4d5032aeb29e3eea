// The programs of the embedded cluster and the three releases they come from. Everything that differs between
// etcd, Kubernetes and kwok (module, package, linker flags, minimum Go) is in this table, nowhere else.

/** What every embedded cluster needs. */
export type ClusterComponent =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubectl'
  | 'kwok';
/** What only a real node needs. */
export type NodeComponent = 'kubelet' | 'kube-proxy';
export type Component = ClusterComponent | NodeComponent;
export type ReleaseName = 'kubernetes' | 'etcd' | 'kwok';

/** In the order in which they are made ready. */
export const COMPONENTS: readonly ClusterComponent[] = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
];

/** Made ready only for a real node: building them takes minutes that other clusters need not wait. */
export const NODE_COMPONENTS: readonly NodeComponent[] = ['kubelet', 'kube-proxy'];

/** Versions without the leading v; `modules/` holds the pinned Go modules of exactly these. */
export const DEFAULT_VERSIONS: Readonly<Record<ReleaseName, string>> = {
  kubernetes: '1.37.1',
  etcd: '3.7.3',
  kwok: '0.8.0',
};

/** What the `go` lines of the pinned modules ask for. */
export const GO_VERSION = '1.26.0';

const MODULES: Readonly<Record<ReleaseName, string>> = {
  kubernetes: 'k8s.io/kubernetes',
  etcd: 'go.etcd.io/etcd/server/v3',
  kwok: 'sigs.k8s.io/kwok',
};

export interface Release {
  readonly name: ReleaseName;
  /** Without the leading v. */
  readonly version: string;
}

/** The release a component is part of. */
export function releaseName(component: Component): ReleaseName {
  switch (component) {
    case 'etcd':
    case 'kwok':
      return component;
    case 'kube-apiserver':
    case 'kube-controller-manager':
    case 'kube-scheduler':
    case 'kubectl':
    case 'kubelet':
    case 'kube-proxy':
      return 'kubernetes';
    default:
      return component satisfies never;
  }
}

/** The Go module that a release is published as. */
export function goModule(name: ReleaseName): string {
  return MODULES[name];
}

/** The Go package that builds to this component. */
export function goPackage(component: Component): string {
  const module = goModule(releaseName(component));
  return component === 'etcd' ? module : `${module}/cmd/${component}`;
}

/** Linker flags: no debug information, and for Kubernetes the version that its own release scripts would stamp. */
export function linkerFlags(release: Release): string {
  const strip = '-s -w';
  if (release.name !== 'kubernetes') return strip;
  const [major, minor] = release.version.split('.');
  const stamps = Object.entries({
    gitVersion: `v${release.version}`,
    gitMajor: major,
    gitMinor: minor,
    // A module archive does not tell its commit; without this, user agents would carry an unexpanded placeholder.
    gitCommit: '',
  });
  // client-go keeps a copy of its own, which is the one that user agents show.
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
  return [strip, ...packages.flatMap((path) => stamps.map(([key, value]) => `-X ${path}.${key}=${value}`))].join(' ');
}
