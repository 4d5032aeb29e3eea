// The syntax of a container image: `[host[:port]/]path[:tag][@digest]`, the grammar that registries share. Kubernetes
// itself accepts any text that is not empty, and the kubelet fails later, on every node.

const ALNUM = '[a-zA-Z0-9]';
const HOST_PART = `${ALNUM}(?:[a-zA-Z0-9-]*${ALNUM})?`;
const HOST = `(?:${HOST_PART}(?:[.]${HOST_PART})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
/** Lower case, with single separators inside: a dot, one or two underscores, or dashes. */
const PATH_PART = '[a-z0-9]+(?:(?:[.]|_|__|-+)[a-z0-9]+)*';
const TAG = '[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}';
const DIGEST = '[a-zA-Z][a-zA-Z0-9]*(?:[-_+.][a-zA-Z][a-zA-Z0-9]*)*:[a-fA-F0-9]{32,}';

/** The pattern of a whole reference, in the syntax that JavaScript and the API server's CEL share. */
export const IMAGE_PATTERN = `^(?:${HOST}/)?${PATH_PART}(?:/${PATH_PART})*(?::${TAG})?(?:@${DIGEST})?$`;

/** The longest repository name of registries, without tag and digest. */
export const LONGEST_IMAGE = 512;

export const BAD_IMAGE = 'not an image reference: want [host[:port]/]path[:tag][@digest], the path in lower case';

const image = new RegExp(IMAGE_PATTERN);

/** True for a valid reference. Programs without types, or that trust their environment, may have none. */
export function isImage(text: string | undefined): boolean {
  return text !== undefined && text.length <= LONGEST_IMAGE && image.test(text);
}
