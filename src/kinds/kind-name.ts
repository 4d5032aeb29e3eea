// The kinds by name, for the props of constructs. A file of its own because the type of the list in kinds.ts reaches into all
// of the runtime, and an app that imports constructs would have to load the types of that, too.

/** Names a kind that the operator can run. */
export type KindName = 'MyDeployment' | 'RolloutPolicy' | 'ImoocPod' | 'MyDaemonSet' | 'ModelBox' | 'Collector';
