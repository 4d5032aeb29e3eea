import { expect, it } from '@jest/globals';
import { fullName, taggedName } from '../../src/oci/reference.ts';

it.each([
  { image: 'mydeployment:0.1.0', name: 'mydeployment:0.1.0' },
  { image: 'mydeployment', name: 'mydeployment:latest' },
  { image: 'registry:5000/team/mydeployment', name: 'registry:5000/team/mydeployment:latest' },
  { image: 'registry.example.com/mydeployment:dev', name: 'registry.example.com/mydeployment:dev' },
])('$image is built as $name', ({ image, name }) => {
  expect(taggedName(image)).toBe(name);
});

it.each(['MyDeployment:1', 'mydeployment:', 'a b', 'mydeployment@sha256:0', '/mydeployment', ''])(
  '%j is no name',
  (image) => {
    expect(() => taggedName(image)).toThrow(`got ${JSON.stringify(image)}`);
  },
);

it.each([
  { reference: 'mydeployment:1', full: 'docker.io/library/mydeployment:1' },
  { reference: 'team/mydeployment:1', full: 'docker.io/team/mydeployment:1' },
  { reference: 'registry.example.com/mydeployment:1', full: 'registry.example.com/mydeployment:1' },
  { reference: 'registry:5000/mydeployment:1', full: 'registry:5000/mydeployment:1' },
  { reference: 'localhost/mydeployment:1', full: 'localhost/mydeployment:1' },
])('$reference is $full in full', ({ reference, full }) => {
  expect(fullName(reference)).toBe(full);
});
