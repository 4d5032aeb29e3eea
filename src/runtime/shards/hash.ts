// 64-bit FNV-1a over the UTF-8 bytes of a text, which is how the API server places a namespace on the ring of shards.

const OFFSET_BASIS = { high: 0xcbf29ce4, low: 0x84222325 };
/** The prime is 2^40 + 0x1b3: a multiplication by it is one by 0x1b3, and a shift by 40 bits. */
const PRIME_LOW = 0x1b3;

const encoder = new TextEncoder();

/** From 0 to 2^64 - 1. Calculated in two halves: with BigInt alone every byte would allocate. */
export function fnv1a64(text: string): bigint {
  let { high, low } = OFFSET_BASIS;
  for (const byte of encoder.encode(text)) {
    low = (low ^ byte) >>> 0;
    const product = low * PRIME_LOW; // below 2^41, so a number holds it exactly
    high = (high * PRIME_LOW + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return (BigInt(high) << 32n) | BigInt(low);
}
