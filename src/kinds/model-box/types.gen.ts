// Generated from crds/modelboxes.yaml by `make generate`; edit schema.ts instead.

import type { ObjectMeta } from '../../runtime/object.ts';

/**
 * One container to run and to reach: a Deployment and a Service, made, owned and kept as the spec says.
 */
export interface ModelBox {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec: ModelBoxSpec;
  readonly status?: ModelBoxStatus;
}
/**
 * What should run, and how it is reached.
 */
export interface ModelBoxSpec {
  /**
   * More containers for every pod.
   */
  readonly containers?: readonly ModelBoxSpecContainer[];
  /**
   * Whether the container gets a liveness and a readiness probe where none is given: both connect to its first TCP port. Default true.
   */
  readonly defaultProbes?: boolean;
  /**
   * Environment variables of the container.
   */
  readonly envs?: readonly ModelBoxSpecEnv[];
  /**
   * The image of the container.
   */
  readonly image: string;
  /**
   * Containers that run, one after the other, before the others start.
   */
  readonly initContainers?: readonly ModelBoxSpecInitContainer[];
  readonly livenessProbe?: ModelBoxSpecLivenessProbe;
  /**
   * How many seconds a pod must be ready before it counts as available. Default 3.
   */
  readonly minReadySeconds?: number;
  /**
   * What people call this service. Only shown: Deployment, Service and container are named after the object.
   */
  readonly name?: string;
  /**
   * What the Service offers and the container listens on; at least one.
   *
   * @minItems 1
   * @maxItems 64
   */
  readonly ports: readonly ModelBoxSpecPort[];
  readonly readinessProbe?: ModelBoxSpecReadinessProbe;
  /**
   * How many pods should run. Left out, the ModelBox does not decide: a new Deployment starts with 1, and an autoscaler of the Deployment may do as it sees fit.
   */
  readonly replicas?: number;
  readonly resources?: ModelBoxSpecResources;
  /**
   * How many pods an update may add and take away at a time, as a percentage of replicas above 0% and up to 100%. Default 25%.
   */
  readonly rollingUpdate?: string;
  /**
   * How the Service is reached. ClusterIP: at an address inside the cluster. NodePort: also at a port of every node. Headless: its name resolves to the pods themselves. Default: NodePort when a port names a nodePort, else ClusterIP. A change from or to Headless replaces the Service.
   */
  readonly serviceType?: 'ClusterIP' | 'NodePort' | 'Headless';
  /**
   * How much the container gets. small: requests 100m CPU and 128Mi, limits 200m CPU and 256Mi. medium: requests 500m CPU and 512Mi, limits 1 CPU and 1Gi. large: requests 1 CPU and 2Gi, limits 2 CPU and 4Gi. custom (default): what `resources` says.
   */
  readonly size?: 'small' | 'medium' | 'large' | 'custom';
}
export interface ModelBoxSpecContainer {
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: readonly ModelBoxSpecContainerEnv[];
  readonly envFrom?: readonly ModelBoxSpecContainerEnvFrom[];
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly lifecycle?: ModelBoxSpecContainerLifecycle;
  readonly livenessProbe?: ModelBoxSpecContainerLivenessProbe;
  readonly name: string;
  readonly ports?: readonly ModelBoxSpecContainerPort[];
  readonly readinessProbe?: ModelBoxSpecContainerReadinessProbe;
  readonly resizePolicy?: readonly ModelBoxSpecContainerResizePolicy[];
  readonly resources?: ModelBoxSpecContainerResources;
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly ModelBoxSpecContainerRestartPolicyRule[];
  readonly securityContext?: ModelBoxSpecContainerSecurityContext;
  readonly startupProbe?: ModelBoxSpecContainerStartupProbe;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly tty?: boolean;
  readonly volumeDevices?: readonly ModelBoxSpecContainerVolumeDevice[];
  readonly volumeMounts?: readonly ModelBoxSpecContainerVolumeMount[];
  readonly workingDir?: string;
}
export interface ModelBoxSpecContainerEnv {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: ModelBoxSpecContainerEnvValueFrom;
}
export interface ModelBoxSpecContainerEnvValueFrom {
  readonly configMapKeyRef?: ModelBoxSpecContainerEnvValueFromConfigMapKeyRef;
  readonly fieldRef?: ModelBoxSpecContainerEnvValueFromFieldRef;
  readonly fileKeyRef?: ModelBoxSpecContainerEnvValueFromFileKeyRef;
  readonly resourceFieldRef?: ModelBoxSpecContainerEnvValueFromResourceFieldRef;
  readonly secretKeyRef?: ModelBoxSpecContainerEnvValueFromSecretKeyRef;
}
export interface ModelBoxSpecContainerEnvValueFromConfigMapKeyRef {
  readonly key: string;
  readonly name?: string;
  readonly optional?: boolean;
}
export interface ModelBoxSpecContainerEnvValueFromFieldRef {
  readonly apiVersion?: string;
  readonly fieldPath: string;
}
export interface ModelBoxSpecContainerEnvValueFromFileKeyRef {
  readonly key: string;
  readonly optional?: boolean;
  readonly path: string;
  readonly volumeName: string;
}
export interface ModelBoxSpecContainerEnvValueFromResourceFieldRef {
  readonly containerName?: string;
  readonly divisor?: number | string;
  readonly resource: string;
}
export interface ModelBoxSpecContainerEnvValueFromSecretKeyRef {
  readonly key: string;
  readonly name?: string;
  readonly optional?: boolean;
}
export interface ModelBoxSpecContainerEnvFrom {
  readonly configMapRef?: ModelBoxSpecContainerEnvFromConfigMapRef;
  readonly prefix?: string;
  readonly secretRef?: ModelBoxSpecContainerEnvFromSecretRef;
}
export interface ModelBoxSpecContainerEnvFromConfigMapRef {
  readonly name?: string;
  readonly optional?: boolean;
}
export interface ModelBoxSpecContainerEnvFromSecretRef {
  readonly name?: string;
  readonly optional?: boolean;
}
export interface ModelBoxSpecContainerLifecycle {
  readonly postStart?: ModelBoxSpecContainerLifecyclePostStart;
  readonly preStop?: ModelBoxSpecContainerLifecyclePreStop;
  readonly stopSignal?: string;
}
export interface ModelBoxSpecContainerLifecyclePostStart {
  readonly exec?: ModelBoxSpecContainerLifecyclePostStartExec;
  readonly httpGet?: ModelBoxSpecContainerLifecyclePostStartHttpGet;
  readonly sleep?: ModelBoxSpecContainerLifecyclePostStartSleep;
  readonly tcpSocket?: ModelBoxSpecContainerLifecyclePostStartTcpSocket;
}
export interface ModelBoxSpecContainerLifecyclePostStartExec {
  readonly command?: readonly string[];
}
export interface ModelBoxSpecContainerLifecyclePostStartHttpGet {
  readonly host?: string;
  readonly httpHeaders?: readonly ModelBoxSpecContainerLifecyclePostStartHttpGetHttpHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly protocol?: string;
  readonly scheme?: string;
}
export interface ModelBoxSpecContainerLifecyclePostStartHttpGetHttpHeader {
  readonly name: string;
  readonly value: string;
}
export interface ModelBoxSpecContainerLifecyclePostStartSleep {
  readonly seconds: number;
}
export interface ModelBoxSpecContainerLifecyclePostStartTcpSocket {
  readonly host?: string;
  readonly port: number | string;
}
export interface ModelBoxSpecContainerLifecyclePreStop {
  readonly exec?: ModelBoxSpecContainerLifecyclePreStopExec;
  readonly httpGet?: ModelBoxSpecContainerLifecyclePreStopHttpGet;
  readonly sleep?: ModelBoxSpecContainerLifecyclePreStopSleep;
  readonly tcpSocket?: ModelBoxSpecContainerLifecyclePreStopTcpSocket;
}
export interface ModelBoxSpecContainerLifecyclePreStopExec {
  readonly command?: readonly string[];
}
export interface ModelBoxSpecContainerLifecyclePreStopHttpGet {
  readonly host?: string;
  readonly httpHeaders?: readonly ModelBoxSpecContainerLifecyclePreStopHttpGetHttpHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly protocol?: string;
  readonly scheme?: string;
}
export interface ModelBoxSpecContainerLifecyclePreStopHttpGetHttpHeader {
  readonly name: string;
  readonly value: string;
}
export interface ModelBoxSpecContainerLifecyclePreStopSleep {
  readonly seconds: number;
}
export interface ModelBoxSpecContainerLifecyclePreStopTcpSocket {
  readonly host?: string;
  readonly port: number | string;
}
export interface ModelBoxSpecContainerLivenessProbe {
  readonly exec?: ModelBoxSpecContainerLivenessProbeExec;
  readonly failureThreshold?: number;
  readonly grpc?: ModelBoxSpecContainerLivenessProbeGrpc;
  readonly httpGet?: ModelBoxSpecContainerLivenessProbeHttpGet;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: ModelBoxSpecContainerLivenessProbeTcpSocket;
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}
export interface ModelBoxSpecContainerLivenessProbeExec {
  readonly command?: readonly string[];
}
export interface ModelBoxSpecContainerLivenessProbeGrpc {
  readonly mode?: string;
  readonly port: number;
  readonly service?: string;
}
export interface ModelBoxSpecContainerLivenessProbeHttpGet {
  readonly host?: string;
  readonly httpHeaders?: readonly ModelBoxSpecContainerLivenessProbeHttpGetHttpHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly protocol?: string;
  readonly scheme?: string;
}
export interface ModelBoxSpecContainerLivenessProbeHttpGetHttpHeader {
  readonly name: string;
  readonly value: string;
}
export interface ModelBoxSpecContainerLivenessProbeTcpSocket {
  readonly host?: string;
  readonly port: number | string;
}
export interface ModelBoxSpecContainerPort {
  readonly containerPort: number;
  readonly hostIP?: string;
  readonly hostPort?: number;
  readonly name?: string;
  readonly protocol?: string;
}
export interface ModelBoxSpecContainerReadinessProbe {
  readonly exec?: ModelBoxSpecContainerReadinessProbeExec;
  readonly failureThreshold?: number;
  readonly grpc?: ModelBoxSpecContainerReadinessProbeGrpc;
  readonly httpGet?: ModelBoxSpecContainerReadinessProbeHttpGet;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: ModelBoxSpecContainerReadinessProbeTcpSocket;
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}
export interface ModelBoxSpecContainerReadinessProbeExec {
  readonly command?: readonly string[];
}
export interface ModelBoxSpecContainerReadinessProbeGrpc {
  readonly mode?: string;
  readonly port: number;
  readonly service?: string;
}
export interface ModelBoxSpecContainerReadinessProbeHttpGet {
  readonly host?: string;
  readonly httpHeaders?: readonly ModelBoxSpecContainerReadinessProbeHttpGetHttpHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly protocol?: string;
  readonly scheme?: string;
}
export interface ModelBoxSpecContainerReadinessProbeHttpGetHttpHeader {
  readonly name: string;
  readonly value: string;
}
export interface ModelBoxSpecContainerReadinessProbeTcpSocket {
  readonly host?: string;
  readonly port: number | string;
}
export interface ModelBoxSpecContainerResizePolicy {
  readonly resourceName: string;
  readonly restartPolicy: string;
}
export interface ModelBoxSpecContainerResources {
  readonly claims?: readonly ModelBoxSpecContainerResourcesClaim[];
  readonly limits?: {
    readonly [k: string]: number | string;
  };
  readonly requests?: {
    readonly [k: string]: number | string;
  };
}
export interface ModelBoxSpecContainerResourcesClaim {
  readonly name: string;
  readonly request?: string;
}
export interface ModelBoxSpecContainerRestartPolicyRule {
  readonly action: string;
  readonly exitCodes?: ModelBoxSpecContainerRestartPolicyRuleExitCodes;
}
export interface ModelBoxSpecContainerRestartPolicyRuleExitCodes {
  readonly operator: string;
  readonly values?: readonly number[];
}
export interface ModelBoxSpecContainerSecurityContext {
  readonly allowPrivilegeEscalation?: boolean;
  readonly appArmorProfile?: ModelBoxSpecContainerSecurityContextAppArmorProfile;
  readonly capabilities?: ModelBoxSpecContainerSecurityContextCapabilities;
  readonly privileged?: boolean;
  readonly procMount?: string;
  readonly readOnlyRootFilesystem?: boolean;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly seLinuxOptions?: ModelBoxSpecContainerSecurityContextSeLinuxOptions;
  readonly seccompProfile?: ModelBoxSpecContainerSecurityContextSeccompProfile;
  readonly windowsOptions?: ModelBoxSpecContainerSecurityContextWindowsOptions;
}
export interface ModelBoxSpecContainerSecurityContextAppArmorProfile {
  readonly localhostProfile?: string;
  readonly type: string;
}
export interface ModelBoxSpecContainerSecurityContextCapabilities {
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
}
export interface ModelBoxSpecContainerSecurityContextSeLinuxOptions {
  readonly level?: string;
  readonly role?: string;
  readonly type?: string;
  readonly user?: string;
}
export interface ModelBoxSpecContainerSecurityContextSeccompProfile {
  readonly localhostProfile?: string;
  readonly type: string;
}
export interface ModelBoxSpecContainerSecurityContextWindowsOptions {
  readonly gmsaCredentialSpec?: string;
  readonly gmsaCredentialSpecName?: string;
  readonly hostProcess?: boolean;
  readonly runAsUserName?: string;
}
export interface ModelBoxSpecContainerStartupProbe {
  readonly exec?: ModelBoxSpecContainerStartupProbeExec;
  readonly failureThreshold?: number;
  readonly grpc?: ModelBoxSpecContainerStartupProbeGrpc;
  readonly httpGet?: ModelBoxSpecContainerStartupProbeHttpGet;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: ModelBoxSpecContainerStartupProbeTcpSocket;
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}
export interface ModelBoxSpecContainerStartupProbeExec {
  readonly command?: readonly string[];
}
export interface ModelBoxSpecContainerStartupProbeGrpc {
  readonly mode?: string;
  readonly port: number;
  readonly service?: string;
}
export interface ModelBoxSpecContainerStartupProbeHttpGet {
  readonly host?: string;
  readonly httpHeaders?: readonly ModelBoxSpecContainerStartupProbeHttpGetHttpHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly protocol?: string;
  readonly scheme?: string;
}
export interface ModelBoxSpecContainerStartupProbeHttpGetHttpHeader {
  readonly name: string;
  readonly value: string;
}
export interface ModelBoxSpecContainerStartupProbeTcpSocket {
  readonly host?: string;
  readonly port: number | string;
}
export interface ModelBoxSpecContainerVolumeDevice {
  readonly devicePath: string;
  readonly name: string;
}
export interface ModelBoxSpecContainerVolumeMount {
  readonly bindMountOptions?: readonly string[];
  readonly mountPath: string;
  readonly mountPropagation?: string;
  readonly name: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
}
export interface ModelBoxSpecEnv {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: ModelBoxSpecEnvValueFrom;
}
export interface ModelBoxSpecEnvValueFrom {
  readonly configMapKeyRef?: ModelBoxSpecEnvValueFromConfigMapKeyRef;
  readonly fieldRef?: ModelBoxSpecEnvValueFromFieldRef;
  readonly fileKeyRef?: ModelBoxSpecEnvValueFromFileKeyRef;
  readonly resourceFieldRef?: ModelBoxSpecEnvValueFromResourceFieldRef;
  readonly secretKeyRef?: ModelBoxSpecEnvValueFromSecretKeyRef;
}
export interface ModelBoxSpecEnvValueFromConfigMapKeyRef {
  readonly key: string;
  readonly name?: string;
  readonly optional?: boolean;
}
export interface ModelBoxSpecEnvValueFromFieldRef {
  readonly apiVersion?: string;
  readonly fieldPath: string;
}
export interface ModelBoxSpecEnvValueFromFileKeyRef {
  readonly key: string;
  readonly optional?: boolean;
  readonly path: string;
  readonly volumeName: string;
}
export interface ModelBoxSpecEnvValueFromResourceFieldRef {
  readonly containerName?: string;
  readonly divisor?: number | string;
  readonly resource: string;
}
export interface ModelBoxSpecEnvValueFromSecretKeyRef {
  readonly key: string;
  readonly name?: string;
  readonly optional?: boolean;
}
export interface ModelBoxSpecInitContainer {
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: readonly ModelBoxSpecInitContainerEnv[];
  readonly envFrom?: readonly ModelBoxSpecInitContainerEnvFrom[];
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly lifecycle?: ModelBoxSpecInitContainerLifecycle;
  readonly livenessProbe?: ModelBoxSpecInitContainerLivenessProbe;
  readonly name: string;
  readonly ports?: readonly ModelBoxSpecInitContainerPort[];
  readonly readinessProbe?: ModelBoxSpecInitContainerReadinessProbe;
  readonly resizePolicy?: readonly ModelBoxSpecInitContainerResizePolicy[];
  readonly resources?: ModelBoxSpecInitContainerResources;
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly ModelBoxSpecInitContainerRestartPolicyRule[];
  readonly securityContext?: ModelBoxSpecInitContainerSecurityContext;
  readonly startupProbe?: ModelBoxSpecInitContainerStartupProbe;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly tty?: boolean;
  readonly volumeDevices?: readonly ModelBoxSpecInitContainerVolumeDevice[];
  readonly volumeMounts?: readonly ModelBoxSpecInitContainerVolumeMount[];
  readonly workingDir?: string;
}
export interface ModelBoxSpecInitContainerEnv {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: ModelBoxSpecInitContainerEnvValueFrom;
}
export interface ModelBoxSpecInitContainerEnvValueFrom {
  readonly configMapKeyRef?: ModelBoxSpecInitContainerEnvValueFromConfigMapKeyRef;
  readonly fieldRef?: ModelBoxSpecInitContainerEnvValueFromFieldRef;
  readonly fileKeyRef?: ModelBoxSpecInitContainerEnvValueFromFileKeyRef;
  readonly resourceFieldRef?: ModelBoxSpecInitContainerEnvValueFromResourceFieldRef;
  readonly secretKeyRef?: ModelBoxSpecInitContainerEnvValueFromSecretKeyRef;
}
export interface ModelBoxSpecInitContainerEnvValueFromConfigMapKeyRef {
  readonly key: string;
  readonly name?: string;
  readonly optional?: boolean;
}
export interface ModelBoxSpecInitContainerEnvValueFromFieldRef {
  readonly apiVersion?: string;
  readonly fieldPath: string;
}
export interface ModelBoxSpecInitContainerEnvValueFromFileKeyRef {
  readonly key: string;
  readonly optional?: boolean;
  readonly path: string;
  readonly volumeName: string;
}
export interface ModelBoxSpecInitContainerEnvValueFromResourceFieldRef {
  readonly containerName?: string;
  readonly divisor?: number | string;
  readonly resource: string;
}
export interface ModelBoxSpecInitContainerEnvValueFromSecretKeyRef {
  readonly key: string;
  readonly name?: string;
  readonly optional?: boolean;
}
export interface ModelBoxSpecInitContainerEnvFrom {
  readonly configMapRef?: ModelBoxSpecInitContainerEnvFromConfigMapRef;
  readonly prefix?: string;
  readonly secretRef?: ModelBoxSpecInitContainerEnvFromSecretRef;
}
export interface ModelBoxSpecInitContainerEnvFromConfigMapRef {
  readonly name?: string;
  readonly optional?: boolean;
}
export interface ModelBoxSpecInitContainerEnvFromSecretRef {
  readonly name?: string;
  readonly optional?: boolean;
}
export interface ModelBoxSpecInitContainerLifecycle {
  readonly postStart?: ModelBoxSpecInitContainerLifecyclePostStart;
  readonly preStop?: ModelBoxSpecInitContainerLifecyclePreStop;
  readonly stopSignal?: string;
}
export interface ModelBoxSpecInitContainerLifecyclePostStart {
  readonly exec?: ModelBoxSpecInitContainerLifecyclePostStartExec;
  readonly httpGet?: ModelBoxSpecInitContainerLifecyclePostStartHttpGet;
  readonly sleep?: ModelBoxSpecInitContainerLifecyclePostStartSleep;
  readonly tcpSocket?: ModelBoxSpecInitContainerLifecyclePostStartTcpSocket;
}
export interface ModelBoxSpecInitContainerLifecyclePostStartExec {
  readonly command?: readonly string[];
}
export interface ModelBoxSpecInitContainerLifecyclePostStartHttpGet {
  readonly host?: string;
  readonly httpHeaders?: readonly ModelBoxSpecInitContainerLifecyclePostStartHttpGetHttpHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly protocol?: string;
  readonly scheme?: string;
}
export interface ModelBoxSpecInitContainerLifecyclePostStartHttpGetHttpHeader {
  readonly name: string;
  readonly value: string;
}
export interface ModelBoxSpecInitContainerLifecyclePostStartSleep {
  readonly seconds: number;
}
export interface ModelBoxSpecInitContainerLifecyclePostStartTcpSocket {
  readonly host?: string;
  readonly port: number | string;
}
export interface ModelBoxSpecInitContainerLifecyclePreStop {
  readonly exec?: ModelBoxSpecInitContainerLifecyclePreStopExec;
  readonly httpGet?: ModelBoxSpecInitContainerLifecyclePreStopHttpGet;
  readonly sleep?: ModelBoxSpecInitContainerLifecyclePreStopSleep;
  readonly tcpSocket?: ModelBoxSpecInitContainerLifecyclePreStopTcpSocket;
}
export interface ModelBoxSpecInitContainerLifecyclePreStopExec {
  readonly command?: readonly string[];
}
export interface ModelBoxSpecInitContainerLifecyclePreStopHttpGet {
  readonly host?: string;
  readonly httpHeaders?: readonly ModelBoxSpecInitContainerLifecyclePreStopHttpGetHttpHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly protocol?: string;
  readonly scheme?: string;
}
export interface ModelBoxSpecInitContainerLifecyclePreStopHttpGetHttpHeader {
  readonly name: string;
  readonly value: string;
}
export interface ModelBoxSpecInitContainerLifecyclePreStopSleep {
  readonly seconds: number;
}
export interface ModelBoxSpecInitContainerLifecyclePreStopTcpSocket {
  readonly host?: string;
  readonly port: number | string;
}
export interface ModelBoxSpecInitContainerLivenessProbe {
  readonly exec?: ModelBoxSpecInitContainerLivenessProbeExec;
  readonly failureThreshold?: number;
  readonly grpc?: ModelBoxSpecInitContainerLivenessProbeGrpc;
  readonly httpGet?: ModelBoxSpecInitContainerLivenessProbeHttpGet;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: ModelBoxSpecInitContainerLivenessProbeTcpSocket;
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}
export interface ModelBoxSpecInitContainerLivenessProbeExec {
  readonly command?: readonly string[];
}
export interface ModelBoxSpecInitContainerLivenessProbeGrpc {
  readonly mode?: string;
  readonly port: number;
  readonly service?: string;
}
export interface ModelBoxSpecInitContainerLivenessProbeHttpGet {
  readonly host?: string;
  readonly httpHeaders?: readonly ModelBoxSpecInitContainerLivenessProbeHttpGetHttpHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly protocol?: string;
  readonly scheme?: string;
}
export interface ModelBoxSpecInitContainerLivenessProbeHttpGetHttpHeader {
  readonly name: string;
  readonly value: string;
}
export interface ModelBoxSpecInitContainerLivenessProbeTcpSocket {
  readonly host?: string;
  readonly port: number | string;
}
export interface ModelBoxSpecInitContainerPort {
  readonly containerPort: number;
  readonly hostIP?: string;
  readonly hostPort?: number;
  readonly name?: string;
  readonly protocol?: string;
}
export interface ModelBoxSpecInitContainerReadinessProbe {
  readonly exec?: ModelBoxSpecInitContainerReadinessProbeExec;
  readonly failureThreshold?: number;
  readonly grpc?: ModelBoxSpecInitContainerReadinessProbeGrpc;
  readonly httpGet?: ModelBoxSpecInitContainerReadinessProbeHttpGet;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: ModelBoxSpecInitContainerReadinessProbeTcpSocket;
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}
export interface ModelBoxSpecInitContainerReadinessProbeExec {
  readonly command?: readonly string[];
}
export interface ModelBoxSpecInitContainerReadinessProbeGrpc {
  readonly mode?: string;
  readonly port: number;
  readonly service?: string;
}
export interface ModelBoxSpecInitContainerReadinessProbeHttpGet {
  readonly host?: string;
  readonly httpHeaders?: readonly ModelBoxSpecInitContainerReadinessProbeHttpGetHttpHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly protocol?: string;
  readonly scheme?: string;
}
export interface ModelBoxSpecInitContainerReadinessProbeHttpGetHttpHeader {
  readonly name: string;
  readonly value: string;
}
export interface ModelBoxSpecInitContainerReadinessProbeTcpSocket {
  readonly host?: string;
  readonly port: number | string;
}
export interface ModelBoxSpecInitContainerResizePolicy {
  readonly resourceName: string;
  readonly restartPolicy: string;
}
export interface ModelBoxSpecInitContainerResources {
  readonly claims?: readonly ModelBoxSpecInitContainerResourcesClaim[];
  readonly limits?: {
    readonly [k: string]: number | string;
  };
  readonly requests?: {
    readonly [k: string]: number | string;
  };
}
export interface ModelBoxSpecInitContainerResourcesClaim {
  readonly name: string;
  readonly request?: string;
}
export interface ModelBoxSpecInitContainerRestartPolicyRule {
  readonly action: string;
  readonly exitCodes?: ModelBoxSpecInitContainerRestartPolicyRuleExitCodes;
}
export interface ModelBoxSpecInitContainerRestartPolicyRuleExitCodes {
  readonly operator: string;
  readonly values?: readonly number[];
}
export interface ModelBoxSpecInitContainerSecurityContext {
  readonly allowPrivilegeEscalation?: boolean;
  readonly appArmorProfile?: ModelBoxSpecInitContainerSecurityContextAppArmorProfile;
  readonly capabilities?: ModelBoxSpecInitContainerSecurityContextCapabilities;
  readonly privileged?: boolean;
  readonly procMount?: string;
  readonly readOnlyRootFilesystem?: boolean;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly seLinuxOptions?: ModelBoxSpecInitContainerSecurityContextSeLinuxOptions;
  readonly seccompProfile?: ModelBoxSpecInitContainerSecurityContextSeccompProfile;
  readonly windowsOptions?: ModelBoxSpecInitContainerSecurityContextWindowsOptions;
}
export interface ModelBoxSpecInitContainerSecurityContextAppArmorProfile {
  readonly localhostProfile?: string;
  readonly type: string;
}
export interface ModelBoxSpecInitContainerSecurityContextCapabilities {
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
}
export interface ModelBoxSpecInitContainerSecurityContextSeLinuxOptions {
  readonly level?: string;
  readonly role?: string;
  readonly type?: string;
  readonly user?: string;
}
export interface ModelBoxSpecInitContainerSecurityContextSeccompProfile {
  readonly localhostProfile?: string;
  readonly type: string;
}
export interface ModelBoxSpecInitContainerSecurityContextWindowsOptions {
  readonly gmsaCredentialSpec?: string;
  readonly gmsaCredentialSpecName?: string;
  readonly hostProcess?: boolean;
  readonly runAsUserName?: string;
}
export interface ModelBoxSpecInitContainerStartupProbe {
  readonly exec?: ModelBoxSpecInitContainerStartupProbeExec;
  readonly failureThreshold?: number;
  readonly grpc?: ModelBoxSpecInitContainerStartupProbeGrpc;
  readonly httpGet?: ModelBoxSpecInitContainerStartupProbeHttpGet;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: ModelBoxSpecInitContainerStartupProbeTcpSocket;
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}
export interface ModelBoxSpecInitContainerStartupProbeExec {
  readonly command?: readonly string[];
}
export interface ModelBoxSpecInitContainerStartupProbeGrpc {
  readonly mode?: string;
  readonly port: number;
  readonly service?: string;
}
export interface ModelBoxSpecInitContainerStartupProbeHttpGet {
  readonly host?: string;
  readonly httpHeaders?: readonly ModelBoxSpecInitContainerStartupProbeHttpGetHttpHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly protocol?: string;
  readonly scheme?: string;
}
export interface ModelBoxSpecInitContainerStartupProbeHttpGetHttpHeader {
  readonly name: string;
  readonly value: string;
}
export interface ModelBoxSpecInitContainerStartupProbeTcpSocket {
  readonly host?: string;
  readonly port: number | string;
}
export interface ModelBoxSpecInitContainerVolumeDevice {
  readonly devicePath: string;
  readonly name: string;
}
export interface ModelBoxSpecInitContainerVolumeMount {
  readonly bindMountOptions?: readonly string[];
  readonly mountPath: string;
  readonly mountPropagation?: string;
  readonly name: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
}
/**
 * When to restart the container, instead of the default probe.
 */
export interface ModelBoxSpecLivenessProbe {
  readonly exec?: ModelBoxSpecLivenessProbeExec;
  readonly failureThreshold?: number;
  readonly grpc?: ModelBoxSpecLivenessProbeGrpc;
  readonly httpGet?: ModelBoxSpecLivenessProbeHttpGet;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: ModelBoxSpecLivenessProbeTcpSocket;
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}
export interface ModelBoxSpecLivenessProbeExec {
  readonly command?: readonly string[];
}
export interface ModelBoxSpecLivenessProbeGrpc {
  readonly mode?: string;
  readonly port: number;
  readonly service?: string;
}
export interface ModelBoxSpecLivenessProbeHttpGet {
  readonly host?: string;
  readonly httpHeaders?: readonly ModelBoxSpecLivenessProbeHttpGetHttpHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly protocol?: string;
  readonly scheme?: string;
}
export interface ModelBoxSpecLivenessProbeHttpGetHttpHeader {
  readonly name: string;
  readonly value: string;
}
export interface ModelBoxSpecLivenessProbeTcpSocket {
  readonly host?: string;
  readonly port: number | string;
}
export interface ModelBoxSpecPort {
  /**
   * What is spoken on this port, for proxies that want to know, such as http or kubernetes.io/h2c.
   */
  readonly appProtocol?: string;
  /**
   * Names the port; needed when there are several.
   */
  readonly name?: string;
  /**
   * Where every node listens. Only with serviceType NodePort. Chosen by Kubernetes and then kept when left out.
   */
  readonly nodePort?: number;
  /**
   * Where the Service listens.
   */
  readonly port: number;
  /**
   * TCP (default), UDP or SCTP.
   */
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
  /**
   * Where the container listens: a number, or a name. A name that no additional container gives to a port of its own stands for `port`. Default: the same as `port`.
   */
  readonly targetPort?: number | string;
}
/**
 * When the container can serve, instead of the default probe.
 */
export interface ModelBoxSpecReadinessProbe {
  readonly exec?: ModelBoxSpecReadinessProbeExec;
  readonly failureThreshold?: number;
  readonly grpc?: ModelBoxSpecReadinessProbeGrpc;
  readonly httpGet?: ModelBoxSpecReadinessProbeHttpGet;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: ModelBoxSpecReadinessProbeTcpSocket;
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}
export interface ModelBoxSpecReadinessProbeExec {
  readonly command?: readonly string[];
}
export interface ModelBoxSpecReadinessProbeGrpc {
  readonly mode?: string;
  readonly port: number;
  readonly service?: string;
}
export interface ModelBoxSpecReadinessProbeHttpGet {
  readonly host?: string;
  readonly httpHeaders?: readonly ModelBoxSpecReadinessProbeHttpGetHttpHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly protocol?: string;
  readonly scheme?: string;
}
export interface ModelBoxSpecReadinessProbeHttpGetHttpHeader {
  readonly name: string;
  readonly value: string;
}
export interface ModelBoxSpecReadinessProbeTcpSocket {
  readonly host?: string;
  readonly port: number | string;
}
/**
 * Requests and limits of the container. Not together with another size than custom.
 */
export interface ModelBoxSpecResources {
  readonly claims?: readonly ModelBoxSpecResourcesClaim[];
  readonly limits?: {
    readonly [k: string]: number | string;
  };
  readonly requests?: {
    readonly [k: string]: number | string;
  };
}
export interface ModelBoxSpecResourcesClaim {
  readonly name: string;
  readonly request?: string;
}
/**
 * What was last seen of the Deployment and the Service. Written by the operator.
 */
export interface ModelBoxStatus {
  /**
   * How many pods have been ready for minReadySeconds.
   */
  readonly availableReplicas?: number;
  /**
   * Available and Progressing of the Deployment; Ready: everything is there and as the spec says; Stalled while only the user can help.
   */
  readonly conditions?: readonly ModelBoxStatusCondition[];
  /**
   * Where the service is reached, one for each port.
   */
  readonly endpoints?: readonly ModelBoxStatusEndpoint[];
  /**
   * The metadata.generation that this status is about. -1 until the operator has looked at the object.
   */
  readonly observedGeneration?: number;
  /**
   * Ready pods of those that should run, such as 3/4.
   */
  readonly ready?: string;
  /**
   * How many pods are ready.
   */
  readonly readyReplicas?: number;
  /**
   * How many pods exist.
   */
  readonly replicas?: number;
  /**
   * The labels of the pods as text, for HorizontalPodAutoscaler.
   */
  readonly selector?: string;
  /**
   * How many pods are as the spec says.
   */
  readonly updatedReplicas?: number;
}
export interface ModelBoxStatusCondition {
  /**
   * When its status last changed.
   */
  readonly lastTransitionTime: string;
  /**
   * Why, in a sentence.
   */
  readonly message: string;
  /**
   * The metadata.generation that was judged.
   */
  readonly observedGeneration?: number;
  /**
   * Why, in one word that programs can compare.
   */
  readonly reason: string;
  /**
   * Whether it holds.
   */
  readonly status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
   */
  readonly type: string;
}
export interface ModelBoxStatusEndpoint {
  /**
   * Host and port inside the cluster.
   */
  readonly address: string;
  /**
   * The name of the port.
   */
  readonly name?: string;
  /**
   * The port on every node.
   */
  readonly nodePort?: number;
  /**
   * TCP, UDP or SCTP.
   */
  readonly protocol: string;
}
