// What a contender of the runtime's benchmark reports, and the pod that all of them create: one that nobody schedules, so
// that only the API server has work with it.

export interface Measured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** After a collection. */
  readonly heapMiB: number;
  /** The most that was resident at any moment. */
  readonly peakRssMiB: number;
}

/** A pod with what pods usually have. */
export function podNamed(namespace: string, name: string) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, labels: { app: 'bench', tier: 'web' } },
    spec: {
      schedulerName: 'nobody',
      containers: [
        {
          name: 'web',
          image: 'web:1',
          env: [{ name: 'MODE', value: 'bench' }],
          resources: { requests: { cpu: '10m', memory: '16Mi' } },
        },
      ],
    },
  };
}
