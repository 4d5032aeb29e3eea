// The addresses inside a real node's network namespace. The namespace has no link to the machine's network, so the same
// addresses serve every cluster.

/** The node's own address, on the namespace's loopback device: where pods reach the API server and the kubelet. */
export const NODE_ADDRESS = '172.31.255.1';
export const NODE_NAME = 'node-0';
export const POD_RANGE = '10.244.0.0/24';
