// A process of its own that gets all binaries with the settings in its first argument, and says on each line what
// happens: `<component> <step> <pid waited for>`.

import { binaries } from '../../../src/cluster/binaries/binaries.ts';
import type { BinarySettings } from '../../../src/cluster/binaries/settings.ts';

await binaries(JSON.parse(process.argv[2] ?? '') as BinarySettings, {
  report: (event) => console.log(event.component, event.step, 'pid' in event ? event.pid : ''),
});
