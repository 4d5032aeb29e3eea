// SHA-256 of files of the default releases. A checksum that lies beside a file shows that the file has arrived whole; only
// one that comes from elsewhere shows that the file is the one that was released. So what is here counts, and the host
// of the file is not asked.
//
// Each is what at least two public repositories that pin the same file agree on. They may all have it from the host of the
// file, and none was compared with the list that the release itself publishes (`<file>.sha256`, SHA256SUMS); do so before you
// rely on it. Add others in the same way, never from a single download. Another default version has other checksums.

/** By `<component> <version> <platform>`, of the file as it is published. */
export const KNOWN_CHECKSUMS: Readonly<Record<string, string>> = {
  'kubectl 1.37.1 linux/amd64': '65691ff77eb6fa44c908b77a1082c9f092c3b9733b5cefabec0d1104890e21a8',
  'kubectl 1.37.1 linux/arm64': 'ff749f4b78d9c4f1ec87307df9b50119ed819e2094aa9810cb9acffc3286c8c7',
  'kwok 0.8.0 linux/amd64': 'f5a4385a2ae1b9dd7f8acae18e002a75c0ebba124ae9d7259aa8dadb50711f46',
};
