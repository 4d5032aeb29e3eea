// One replica of an operator whose only work is to write, again and again, while it leads. Run as a process of its own:
// `node contender.ts <kubeconfig> <namespace> <lease> <name>`. Its name is the user agent of its requests. It says what
// it does on standard output, one word a line.

import { setTimeout as delay } from 'node:timers/promises';
import { configMaps } from '../../../src/runtime/built-in.ts';
import { readKubeconfig } from '../../../src/runtime/client/access.ts';
import { createClient } from '../../../src/runtime/client/client.ts';
import { Connection } from '../../../src/runtime/client/connection.ts';
import { isApiError } from '../../../src/runtime/errors.ts';
import { LeaderElector } from '../../../src/runtime/leader-election/elector.ts';
import { Manager } from '../../../src/runtime/manager/manager.ts';
import { stopOnSignals } from '../../../src/runtime/manager/signals.ts';

const [kubeconfig = '', namespace = '', lease = '', name = ''] = process.argv.slice(2);

const connection = new Connection(await readKubeconfig([kubeconfig]), { userAgent: name });
const client = createClient(connection);
const elector = new LeaderElector(client, {
  namespace,
  name: lease,
  identity: name,
  leaseMs: 4_000,
  renewDeadlineMs: 3_000,
  retryMs: 500,
});
const leading = client.fenced(elector.fence);

/** Four writers, so that at any moment some request is about to leave. They end with the fence, not with a signal. */
async function write(signal: AbortSignal): Promise<void> {
  console.log('leading');
  const writer = async (): Promise<void> => {
    while (!signal.aborted) {
      const body = { data: { [name]: String(Date.now()) } };
      await leading.patch(configMaps, { namespace, name: lease }, { type: 'merge', body }).catch((error) => {
        if (!isApiError(error, 'Aborted')) throw error;
      });
      await delay(20);
    }
  };
  await Promise.all([writer(), writer(), writer(), writer()]);
}

const manager = new Manager({ elector });
manager.add({ name: 'writer', phase: 'leader', start: write });
console.log('started');
try {
  await manager.run(stopOnSignals());
  console.log('stopped');
} catch (error) {
  console.log(error instanceof Error ? error.name : error);
  process.exitCode = 1;
} finally {
  await connection.close();
}
