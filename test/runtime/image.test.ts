import { describe, expect, it } from '@jest/globals';
import { isImage } from '../../src/runtime/image.ts';

const SHA = `sha256:${'0a'.repeat(32)}`;

describe('an image reference', () => {
  it.each([
    'nginx',
    'nginx:1.28',
    'nginx:stable-alpine3.17',
    'library/nginx',
    'registry.example.com/team/app:v1',
    'registry.example.com:5000/app',
    'localhost/app',
    'localhost:5000/app:v1',
    'REGISTRY.example.com/app',
    '[2001:db8::1]:5000/app',
    `nginx@${SHA}`,
    `nginx:1.28@${SHA}`,
    'a__b/c-d/e.f',
    'x:_tag.with-all_1',
    'a'.repeat(512),
  ])('%s', (image) => {
    expect(isImage(image)).toBe(true);
  });

  it.each([
    { name: 'nothing', image: '' },
    { name: 'upper case', image: 'Nginx' },
    { name: 'a space', image: 'nginx :1' },
    { name: 'a line end', image: 'nginx\n' },
    { name: 'space around', image: ' nginx' },
    { name: 'a scheme', image: 'https://example.com/nginx' },
    { name: 'an empty tag', image: 'nginx:' },
    { name: 'two tags', image: 'nginx:1:2' },
    { name: 'a tag that begins with a dash', image: 'nginx:-1' },
    { name: 'a tag too long', image: `nginx:${'t'.repeat(129)}` },
    { name: 'an empty part', image: 'a//b' },
    { name: 'a slash at the end', image: 'a/' },
    { name: 'three underscores', image: 'a___b' },
    { name: 'a separator at the end', image: 'a-' },
    { name: 'a digest too short', image: 'nginx@sha256:abc' },
    { name: 'a digest without algorithm', image: `nginx@${'0'.repeat(64)}` },
    { name: 'a host that begins with a dash', image: '-a.example.com/nginx' },
    { name: 'a host that ends with a dash', image: 'a-.example.com/nginx' },
    { name: 'a shell', image: 'nginx;rm' },
    { name: 'a variable', image: '$(IMAGE)' },
    { name: 'too long', image: 'a'.repeat(513) },
  ])('is not $name', ({ image }) => {
    expect(isImage(image)).toBe(false);
  });
});
