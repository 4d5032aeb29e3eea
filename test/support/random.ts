// Chance that can be repeated: the same seed gives the same numbers, so a test that failed fails again.

/** Numbers in [0, 1), from a linear congruential generator. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
