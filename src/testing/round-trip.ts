// Whether conversions between the versions of a kind lose nothing. The API server stores every object in one version, so a field that a
// conversion drops is gone, although the user who wrote it reads the version that has it.

import { isDeepStrictEqual } from 'node:util';
import { type CustomResource, hasConversion, type VersionedObject, versionsOf } from '../runtime/custom-resource.ts';
import { apiVersionOf } from '../runtime/resource.ts';
import { convertObject } from '../runtime/webhook/conversion.ts';
import { prunedObject } from './prune.ts';
import { randomFrom, sampleObject } from './sample.ts';

/** Throws with the first object that does not come back from another version as it was. */
export function assertRoundTrips(definition: CustomResource, { runs = 500, seed = 1 } = {}): void {
  const { resource } = definition;
  if (!hasConversion(definition)) throw new Error(`no version of ${resource.kind} has a conversion`);
  const random = randomFrom(seed);
  const versions = versionsOf(definition);
  for (const from of versions) {
    for (const to of versions.filter((each) => each !== from)) {
      const [home, away] = [from, to].map(({ name }) => apiVersionOf({ ...resource, version: name })) as [
        string,
        string,
      ];
      for (let run = 0; run < runs; run++) {
        const object = { apiVersion: home, kind: resource.kind, ...sampleObject(from, random) };
        const there = prunedObject(convertObject([definition], object, away), to) as VersionedObject;
        const back = prunedObject(convertObject([definition], there, home), from);
        if (isDeepStrictEqual(back, object)) continue;
        throw new Error(
          `${resource.kind} does not come back from ${away} to ${home} as it was:\n` +
            [object, there, back].map((each) => JSON.stringify(each)).join('\n'),
        );
      }
    }
  }
}
