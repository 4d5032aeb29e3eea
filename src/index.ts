// What other cdk8s apps import: constructs, and nothing that runs in the operator. Importing it loads cdk8s and
// cdk8s-plus-27, no client and no runtime.

export { type Collectable, Collector, type CollectorProps, type Labelled } from './kinds/collector/construct.ts';
export { ImoocPod, type ImoocPodProps } from './kinds/imooc-pod/construct.ts';
export type { KindName } from './kinds/kind-name.ts';
export { ModelBox, type ModelBoxProps } from './kinds/model-box/construct.ts';
export { MyDaemonSet, type MyDaemonSetProps } from './kinds/my-daemon-set/construct.ts';
export { MyDeployment } from './kinds/my-deployment/construct/construct.ts';
export type {
  ConvertedDeployment,
  DeploymentManifest,
  DeploymentSource,
} from './kinds/my-deployment/construct/from-deployment.ts';
export type { DisruptionBudget, MyDeploymentProps, TopologySpread } from './kinds/my-deployment/construct/props.ts';
/** The types and values that the props of KubeMyDeployment are made of. */
export * as kubeMyDeployment from './kinds/my-deployment/imports.gen.ts';
/** The construct as `cdk8s import` makes it of the CRD: every field, no conveniences. */
export { KubeMyDeployment, type KubeMyDeploymentProps } from './kinds/my-deployment/imports.gen.ts';
export { OperatorAlerts, type OperatorAlertsProps } from './operator/alerts.ts';
export { OperatorChart } from './operator/chart.ts';
export { CustomResourceDefinition } from './operator/crd.ts';
export { OperatorDashboard, type OperatorDashboardProps } from './operator/dashboard.ts';
export { InstallationChart } from './operator/installation-chart.ts';
export type { Certificates, InstallationProps, OperatorProps, Resources, Source } from './operator/props.ts';
export {
  type RollbackCause,
  type RolloutPods,
  RolloutPolicy,
  type RolloutPolicyOptions,
  type RolloutPolicyProps,
  type RolloutRollback,
  type RolloutScaleDown,
  type RolloutStep,
  type RolloutTarget,
} from './policy/construct.ts';
export { type JobGateProps, type PrometheusGateProps, RolloutGate } from './policy/gate-construct.ts';
export type { CustomResource, PrinterColumn, Schema, ValidationRule } from './runtime/custom-resource.ts';
export type { InstalledKind, Permission } from './runtime/installed-kind.ts';
