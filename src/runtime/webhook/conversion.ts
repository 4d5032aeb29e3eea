// Conversion of objects between the versions of a kind, as the API server asks for it: each object becomes one of the stored version,
// and that one of the wanted version. Pure. An object that cannot be converted fails the whole review, as the API server expects it.

import {
  type Conversion,
  type CustomResource,
  groupVersionOf,
  hasConversion,
  type VersionedObject,
} from '../custom-resource.ts';
import type { KubeObject } from '../object.ts';

/** Where the operator converts objects of all its kinds. */
export const CONVERSION_PATH = '/convert';

export interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly VersionedObject[];
}

export interface ConversionResponse {
  readonly uid: string;
  readonly convertedObjects: readonly KubeObject[];
  readonly result: { readonly status: 'Success' } | { readonly status: 'Failure'; readonly message: string };
}

/** Answers a request with the conversions of these kinds. */
export function convert(kinds: readonly CustomResource[], request: ConversionRequest): ConversionResponse {
  const { uid, desiredAPIVersion, objects } = request;
  try {
    const convertedObjects = objects.map((object) => convertObject(kinds, object, desiredAPIVersion));
    return { uid, convertedObjects, result: { status: 'Success' } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { uid, convertedObjects: [], result: { status: 'Failure', message } };
  }
}

/** The object in another version. */
export function convertObject(kinds: readonly CustomResource[], object: VersionedObject, to: string): KubeObject {
  const { apiVersion: from, kind, metadata } = object;
  if (from === to) return object;
  const definition = kinds.find(
    (each) => each.resource.kind === kind && each.resource.group === groupVersionOf(from).group && hasConversion(each),
  );
  if (definition === undefined) throw new Error(`no kind ${kind} of ${from} is converted here`);
  const stored = conversionOf(definition, from)?.toStored(object) ?? object;
  const { metadata: changed, ...rest } = conversionOf(definition, to)?.fromStored(stored) ?? stored;
  const { labels, annotations } = changed;
  // Of the metadata a conversion may change labels and annotations only; the API server refuses everything else.
  const { labels: _labels, annotations: _annotations, ...fixed } = metadata;
  return {
    ...rest,
    apiVersion: to,
    kind,
    metadata: { ...fixed, ...(labels && { labels }), ...(annotations && { annotations }) },
  };
}

/** Undefined for the stored version, and for one with the same fields. */
function conversionOf(definition: CustomResource, apiVersion: string): Conversion | undefined {
  const { group, version } = groupVersionOf(apiVersion);
  const { resource, otherVersions = [] } = definition;
  if (group === resource.group && version === resource.version) return undefined;
  const other = otherVersions.find(({ name }) => name === version);
  if (other === undefined || group !== resource.group) throw new Error(`${resource.kind} has no version ${apiVersion}`);
  return other.conversion;
}
