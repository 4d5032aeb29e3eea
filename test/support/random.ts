// Chance that can be repeated: the same seed gives the same numbers, so a test that failed fails again.

export { randomFrom } from '../../src/testing/index.ts';
