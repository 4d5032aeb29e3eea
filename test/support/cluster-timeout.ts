// A cluster test waits for real controllers: minutes would be a hang, seconds are normal. A unit test that takes that
// long hangs for sure, so it has Jest's own, shorter limit of jest.config.ts.

import { jest } from '@jest/globals';

jest.setTimeout(120_000);
