// A cluster test waits for real controllers: many minutes would be a hang, seconds are normal, and a machine that does other work
// takes several times as long. A unit test that takes that long hangs for sure, so it has Jest's own, shorter limit of jest.config.ts.

import { jest } from '@jest/globals';

jest.setTimeout(240_000);
