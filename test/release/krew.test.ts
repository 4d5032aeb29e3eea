import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { krewManifest } from '../../src/release/krew.ts';

it('names the address and checksum of the archive for each platform', () => {
  const archives = [
    { os: 'linux', arch: 'amd64', name: 'a.tar.gz', sha256: '1'.repeat(64) },
    { os: 'linux', arch: 'arm64', name: 'b.tar.gz', sha256: '2'.repeat(64) },
  ];
  expect(parse(krewManifest('1.2.3', 'https://example.com/v1.2.3', archives))).toMatchObject({
    kind: 'Plugin',
    metadata: { name: 'md' },
    spec: {
      version: 'v1.2.3',
      platforms: [
        {
          selector: { matchLabels: { os: 'linux', arch: 'amd64' } },
          uri: 'https://example.com/v1.2.3/a.tar.gz',
          sha256: '1'.repeat(64),
          bin: 'kubectl-md',
        },
        {
          selector: { matchLabels: { os: 'linux', arch: 'arm64' } },
          uri: 'https://example.com/v1.2.3/b.tar.gz',
          sha256: '2'.repeat(64),
        },
      ],
    },
  });
});
