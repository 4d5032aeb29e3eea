import { describe, expect, it } from '@jest/globals';
import type {
  Conversion,
  CustomResource,
  OtherVersion,
  VersionedObject,
} from '../../../src/runtime/custom-resource.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import { CONVERSION_PATH, convert, convertObject } from '../../../src/runtime/webhook/conversion.ts';
import { keepFields } from '../../../src/runtime/webhook/keep-fields.ts';
import { assertRoundTrips } from '../../../src/testing/round-trip.ts';

interface Old extends KubeObject {
  readonly spec: { readonly text?: string };
}
interface New extends KubeObject {
  readonly spec: { readonly content?: string };
}

const conversion: Conversion<Old, New> = {
  toStored: ({ spec: { text, ...spec }, ...object }) => ({
    ...object,
    spec: { ...spec, ...(text !== undefined && { content: text }) },
  }),
  fromStored: ({ spec: { content, ...spec }, ...object }) => ({
    ...object,
    spec: { ...spec, ...(content !== undefined && { text: content }) },
  }),
};

const status = { type: 'object' } as const;
const fields = (name: string) =>
  ({
    description: '',
    columns: [],
    status,
    spec: { type: 'object', properties: { [name]: { type: 'string' } } },
  }) as const;
const old: OtherVersion = { ...fields('text'), name: 'v1', served: true, conversion };

function site(...otherVersions: readonly OtherVersion[]): CustomResource {
  const resource = { group: 'example.com', version: 'v2', kind: 'Site', plural: 'sites', namespaced: true };
  return { ...fields('content'), resource, singular: 'site', shortNames: [], categories: [], otherVersions };
}

const metadata = { namespace: 'ns', name: 'a', uid: 'u', resourceVersion: '7', labels: { app: 'a' } };
const inV1: VersionedObject = { apiVersion: 'example.com/v1', kind: 'Site', metadata, ...{ spec: { text: 'Hello' } } };
const inV2 = { apiVersion: 'example.com/v2', kind: 'Site', metadata, spec: { content: 'Hello' } };

describe('converting an object', () => {
  it('goes to the stored version and back', () => {
    expect(convertObject([site(old)], inV1, 'example.com/v2')).toEqual(inV2);
    expect(convertObject([site(old)], inV2, 'example.com/v1')).toEqual(inV1);
  });

  it('goes from one other version to another, by way of the stored one', () => {
    const older: OtherVersion = { ...fields('content'), name: 'v1beta1', served: true };
    const there = convertObject([site(old, older)], inV1, 'example.com/v1beta1');
    expect(there).toEqual({ ...inV2, apiVersion: 'example.com/v1beta1' });
  });

  it('gives back an object that has the wanted version', () => {
    expect(convertObject([site(old)], inV2, 'example.com/v2')).toBe(inV2);
  });

  it('may change labels and annotations, and no other metadata', () => {
    const careless: Conversion = {
      toStored: (object) => ({
        ...object,
        metadata: { name: 'other', uid: '', resourceVersion: '', annotations: { was: 'v1' } },
      }),
      fromStored: (object) => object,
    };
    const { labels: _, ...fixed } = metadata;
    const { metadata: after } = convertObject([site({ ...old, conversion: careless })], inV1, 'example.com/v2');
    expect(after).toEqual({ ...fixed, annotations: { was: 'v1' } });
  });
});

describe('a review of conversions', () => {
  const review = (desiredAPIVersion: string, ...objects: readonly VersionedObject[]) =>
    convert([site(old)], { uid: 'r', desiredAPIVersion, objects });

  it('is answered in the order of its objects', () => {
    const second = { ...inV1, metadata: { ...metadata, name: 'b' } };
    expect(review('example.com/v2', inV1, second)).toEqual({
      uid: 'r',
      convertedObjects: [inV2, { ...inV2, metadata: { ...metadata, name: 'b' } }],
      result: { status: 'Success' },
    });
  });

  it.each([
    {
      name: 'another kind',
      to: 'example.com/v2',
      object: { ...inV1, kind: 'Page' },
      says: 'no kind Page of example.com/v1',
    },
    {
      name: 'another group',
      to: 'x.io/v2',
      object: { ...inV1, apiVersion: 'x.io/v1' },
      says: 'no kind Site of x.io/v1',
    },
    {
      name: 'the wanted version, in another group',
      to: 'x.io/v2',
      object: inV1,
      says: 'Site has no version x.io/v2',
    },
    {
      name: 'another version that is there, in another group',
      to: 'x.io/v1',
      object: inV2,
      says: 'Site has no version x.io/v1',
    },
    {
      name: 'a version that is not there',
      to: 'example.com/v3',
      object: inV1,
      says: 'Site has no version example.com/v3',
    },
  ])('fails as a whole because of $name', ({ to, object, says }) => {
    expect(review(to, object, inV1)).toMatchObject({
      convertedObjects: [],
      result: { status: 'Failure', message: expect.stringContaining(says) },
    });
  });
});

describe('a conversion that fails', () => {
  const throwing = (error: unknown): Conversion => ({
    toStored: () => {
      throw error;
    },
    fromStored: (object) => object,
  });

  it.each([
    { name: 'an error', error: new Error('no text'), says: 'no text' },
    { name: 'anything else', error: 'odd', says: 'odd' },
  ])('says why: $name', ({ error, says }) => {
    const kinds = [site({ ...old, conversion: throwing(error) })];
    const request = { uid: 'r', desiredAPIVersion: 'example.com/v2', objects: [inV1] };
    expect(convert(kinds, request).result).toEqual({ status: 'Failure', message: says });
  });

  it('is one of a kind without conversions', () => {
    expect(() => convertObject([site()], inV1, 'example.com/v2')).toThrow('no kind Site of example.com/v1');
  });

  it('keeps the kind, whatever the conversion returns', () => {
    const forgetful: Conversion = {
      toStored: ({ metadata: same }) => ({ metadata: same }),
      fromStored: (object) => object,
    };
    const kinds = [site({ ...old, conversion: forgetful })];
    expect(convertObject(kinds, inV1, 'example.com/v2')).toEqual({
      apiVersion: 'example.com/v2',
      kind: 'Site',
      metadata,
    });
  });
});

it('conversions are asked for at /convert', () => {
  expect(CONVERSION_PATH).toBe('/convert');
});

describe('assertRoundTrips', () => {
  it('accepts conversions that lose nothing', () => {
    expect(() => assertRoundTrips(site(old))).not.toThrow();
  });

  it('names an object that does not come back', () => {
    const lossy: Conversion<Old, New> = {
      ...conversion,
      toStored: ({ spec: _, ...object }) => ({ ...object, spec: {} }),
    };
    const told = expect(() => assertRoundTrips(site({ ...old, conversion: lossy })));
    told.toThrow(
      'Site does not come back from example.com/v1 to example.com/v2 as it was:\n{"apiVersion":"example.com/v2"',
    );
  });

  it('drops, as the API server does, fields that a version does not have', () => {
    const wide = {
      ...site(old),
      spec: { type: 'object', properties: { content: { type: 'string' }, size: { type: 'integer' } } },
    } as const;
    const told = expect(() => assertRoundTrips(wide));
    told.toThrow('does not come back from example.com/v1 to example.com/v2 as it was');
    const keeping = keepFields<Old, New & { spec: { size?: number } }>('example.com/v2', ['size'], conversion);
    expect(() => assertRoundTrips({ ...wide, otherVersions: [{ ...old, conversion: keeping }] })).not.toThrow();
  });

  it('takes the example of a field with a pattern, and asks for it', () => {
    const patterned = (name: string, example: object) => {
      const { spec, ...rest } = fields(name);
      const properties = { [name]: { ...spec.properties[name], pattern: '^a+$', ...example } };
      return { ...rest, spec: { ...spec, required: [name], properties } };
    };
    const kindWith = (example: object) => ({
      ...site({ ...old, ...patterned('text', example) }),
      ...patterned('content', example),
    });
    expect(() => assertRoundTrips(kindWith({}))).toThrow('no text is known that matches ^a+$: say an `example`');
    const seen = new Set<string | undefined>();
    const noting: Conversion<Old, New> = {
      ...conversion,
      toStored: (object) => {
        seen.add(object.spec.text);
        return conversion.toStored(object);
      },
    };
    const kind = kindWith({ example: 'aa' });
    assertRoundTrips({
      ...kind,
      otherVersions: [{ ...(kind.otherVersions?.[0] as OtherVersion), conversion: noting }],
    });
    expect([...seen]).toEqual(['aa']);
  });

  it('has nothing to say about a kind without conversions', () => {
    expect(() => assertRoundTrips(site())).toThrow('no version of Site has a conversion');
  });
});
