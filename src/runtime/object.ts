// The shape of every Kubernetes object as raw JSON carries it: dates are strings, unknown fields stay.
// client-node's own types describe the same objects after its deserializer (dates are Date), which the runtime does not use.

/** Rewrites a client-node model type to the JSON that really travels: every Date is an RFC 3339 string. */
export type Raw<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? readonly Raw<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Raw<T[Key]> }
      : T;

/** An object that owns another. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Metadata of an object that the API server has stored: name, uid and resourceVersion are always there. */
export interface ObjectMeta {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly namespace?: string;
  readonly generateName?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
}

/** Any object of the API server. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
}

/** An object on its way to the API server, which fills in what is missing from its metadata. */
export type Manifest<T extends KubeObject> = Omit<T, 'metadata'> & { readonly metadata: Partial<ObjectMeta> };

/** Names one object of a kind. Cluster-scoped objects have no namespace. */
export interface ObjectRef {
  readonly namespace?: string;
  readonly name: string;
}

/** `namespace/name`, or `name` for cluster-scoped objects: the key of caches and queues. */
export function keyOf(ref: ObjectRef): string {
  return ref.namespace ? `${ref.namespace}/${ref.name}` : ref.name;
}

/** The inverse of `keyOf`. Names cannot contain a slash, so the first one separates. */
export function refOf(key: string): ObjectRef {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The one owner that manages this object, if it has one. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}
