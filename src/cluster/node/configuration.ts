// The configuration files of a real node's programs, as pure functions of the paths.
// Paths below /run and /var are the sandbox's own, so every cluster uses the same ones.

import { stringify } from 'yaml';
import { NODE_ADDRESS, NODE_NAME, POD_RANGE } from './network.ts';

const REGISTRY_PORT = 5000;
/** Every pod's pause container. */
export const PAUSE_IMAGE = 'docker.io/library/busybox:local';
export const CONTAINERD_SOCKET = '/run/containerd/containerd.sock';

export interface NodeFiles {
  readonly cniPlugins: string;
  /** A folder with CNI_NETWORK in it. */
  readonly cniConfig: string;
  /** A folder with REGISTRY_HOSTS in it. */
  readonly registries: string;
  readonly clientCa: string;
  readonly cgroup: string;
  readonly kubeProxyKubeconfig: string;
}

/** containerd keeps images and containers in memory, so they end with the node, whatever the machine's file system is. */
export function containerdConfig({ cniPlugins, cniConfig, registries }: NodeFiles): string {
  return `version = 2
root = "/run/containerd/data"
state = "/run/containerd/state"
oom_score = 0
# It would make a folder in /opt.
disabled_plugins = ["io.containerd.internal.v1.opt"]

[grpc]
  address = "${CONTAINERD_SOCKET}"

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  # Without CAP_SYS_RESOURCE a score cannot be lowered.
  restrict_oom_score_adj = true
  # A profile would stay loaded in the machine's kernel.
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${cniPlugins}"
    conf_dir = "${cniConfig}"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${registries}"
`;
}

/** Images of docker.io come from the node's own registry. */
export const REGISTRY_HOSTS = `server = "http://127.0.0.1:${REGISTRY_PORT}"
[host."http://127.0.0.1:${REGISTRY_PORT}"]
  capabilities = ["pull", "resolve"]
`;

export function registryArgs(images: string): string[] {
  return [new URL('registry.ts', import.meta.url).pathname, images, String(REGISTRY_PORT)];
}

/**
 * Every pod has a link of its own to the node, which routes between them. On a bridge, answers from pod to pod would pass
 * by the node's packet filter unless the machine has br_netfilter.
 */
export const CNI_NETWORK = JSON.stringify({
  cniVersion: '0.4.0',
  name: 'pods',
  plugins: [
    {
      type: 'ptp',
      ipam: {
        type: 'host-local',
        ranges: [[{ subnet: POD_RANGE }]],
        routes: [{ dst: '0.0.0.0/0' }],
        dataDir: '/run/cni/addresses',
      },
    },
  ],
});

export function kubeletConfig({ clientCa, cgroup }: NodeFiles): string {
  return stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: NODE_ADDRESS,
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: clientCa } },
    authorization: { mode: 'Webhook' },
    containerRuntimeEndpoint: `unix://${CONTAINERD_SOCKET}`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${cgroup}`,
    failCgroupV1: false,
    failSwapOn: false,
    // kube-proxy has rules of its own, and the kubelet's are for iptables.
    makeIPTablesUtilChains: false,
    oomScoreAdj: 0,
    resolvConf: '',
    volumePluginDir: '/var/lib/kubelet/volume-plugins',
    localStorageCapacityIsolation: false,
    // The kubelet must not evict pods of tests because the machine's disk is full.
    evictionHard: { 'memory.available': '0%', 'nodefs.available': '0%', 'imagefs.available': '0%' },
    imageGCHighThresholdPercent: 100,
  });
}

export function kubeletArgs(config: string, kubeconfig: string): string[] {
  return [
    `--config=${config}`,
    `--kubeconfig=${kubeconfig}`,
    `--hostname-override=${NODE_NAME}`,
    `--node-ip=${NODE_ADDRESS}`,
    '--root-dir=/var/lib/kubelet',
    '--cert-dir=/var/lib/kubelet/pki',
  ];
}

export function kubeProxyConfig({ kubeProxyKubeconfig }: NodeFiles): string {
  return stringify({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'nftables',
    clientConnection: { kubeconfig: kubeProxyKubeconfig },
    hostnameOverride: NODE_NAME,
    clusterCIDR: POD_RANGE,
    oomScoreAdj: 0,
    // These limits are the machine's, and only its first network namespace may change them.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  });
}
