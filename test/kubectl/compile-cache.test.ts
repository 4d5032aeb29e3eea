import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { compileCacheFolder } from '../../src/kubectl/compile-cache.ts';

const US = process.getuid?.();
const OTHER = 65_534;
/** Only root can give a folder to another user. */
const asRoot = US === 0 ? it : it.skip;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'compile-cache-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const chosen = (uid = US) => compileCacheFolder({ XDG_CACHE_HOME: join(root, 'cache') }, uid);
const ours = () => join(root, 'cache', 'mydeployment');
const folder = () => join(ours(), 'compile-cache');

describe('the folder for compiled code', () => {
  it('is made below XDG_CACHE_HOME, for this user alone', () => {
    expect(chosen()).toBe(folder());
    for (const made of [ours(), folder()]) expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  it('is used again', () => {
    chosen();
    expect(chosen()).toBe(folder());
  });

  it('can be reached through a link of our own, as people have to a larger disk', () => {
    mkdirSync(join(root, 'disk'));
    symlinkSync(join(root, 'disk'), join(root, 'cache'));
    expect(chosen()).toBe(folder());
    expect(existsSync(join(root, 'disk', 'mydeployment', 'compile-cache'))).toBe(true);
  });

  it('is not used when it is a link, even to a folder of our own', () => {
    mkdirSync(join(root, 'unpacked'));
    mkdirSync(ours(), { recursive: true });
    symlinkSync(join(root, 'unpacked'), folder());
    expect(chosen()).toBeUndefined();
  });

  it.each([0o770, 0o707, 0o1777])('is not used when others can write it: %o', (mode) => {
    mkdirSync(folder(), { recursive: true });
    chmodSync(folder(), mode);
    expect(chosen()).toBeUndefined();
  });

  it('is not used when others can replace it, because they can write the folder above', () => {
    mkdirSync(ours(), { recursive: true });
    chmodSync(ours(), 0o777);
    expect(chosen()).toBeUndefined();
    expect(existsSync(folder())).toBe(false);
  });

  asRoot.each([
    { what: 'it', path: folder },
    { what: 'the folder above it', path: ours },
    { what: 'XDG_CACHE_HOME', path: () => join(root, 'cache') },
  ])('is not used when another user owns $what', ({ path }) => {
    mkdirSync(folder(), { recursive: true });
    chownSync(path(), OTHER, OTHER);
    expect(chosen()).toBeUndefined();
  });

  asRoot('is not made below a folder of another user', () => {
    mkdirSync(join(root, 'cache'));
    chownSync(join(root, 'cache'), OTHER, OTHER);
    expect(chosen()).toBeUndefined();
    expect(existsSync(ours())).toBe(false);
  });

  asRoot('is not reached through a link of another user', () => {
    mkdirSync(join(root, 'disk'));
    chmodSync(root, 0o1777);
    symlinkSync(join(root, 'disk'), join(root, 'cache'));
    lchownSync(join(root, 'cache'), OTHER, OTHER);
    expect(chosen()).toBeUndefined();
  });

  it.each([
    { name: 'a file is in its place', env: { XDG_CACHE_HOME: '/dev/null' }, uid: US },
    { name: 'the system has no users', env: {}, uid: undefined },
  ])('is done without when $name', ({ env, uid }) => {
    expect(compileCacheFolder(env, uid)).toBeUndefined();
  });
});
