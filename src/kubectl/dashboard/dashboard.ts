// `dashboard`: serves the page to this machine until Ctrl-C, with the rights of the caller. The page shows what the commands of the
// terminal show, from the same code, and changes nothing without a click.

import { myDeployments } from '../../kinds/my-deployment/names.ts';
import { Listener } from '../../runtime/server/listener.ts';
import { UsageError } from '../arguments.ts';
import type { Context } from '../context.ts';
import { INTERRUPTED } from '../failure.ts';
import { Link } from './cluster/link.ts';
import { Model } from './cluster/model.ts';
import { Rights } from './cluster/rights.ts';
import { openBrowser } from './open-browser.ts';
import { pageFiles } from './page-files.ts';
import type { LinkRow } from './protocol.ts';
import { answersOf } from './server/answers.ts';
import { DashboardServer } from './server/dashboard-server.ts';
import { Views } from './server/views.ts';

const LOOPBACK = '127.0.0.1';
const LARGEST_PORT = 65_535;
const LOOK_EVERY_MS = 200;

export async function dashboard(context: Context): Promise<number> {
  const { client, console, clock, wallNow, flags, server } = context;
  const { interrupted } = console;
  const namespace = flags.on('all-namespaces') ? undefined : context.namespace;
  const port = portOf(context);
  await assertReachable(context, namespace);

  const views = new Views(clock);
  const onChange = (): void => views.changed();
  const model = new Model({ client, server, namespace, onChange });
  const link = new Link(server);
  const rights = new Rights(client, onChange);
  const page = new DashboardServer(
    pageFiles,
    answersOf({ client, model, rights, link, views, clock, wallNow }),
    server,
  );
  const listener = new Listener({
    address: { host: LOOPBACK, port },
    handler: (request, response) => page.handle(request, response, wallNow()),
  });
  const watching = model.watches.run(interrupted);
  const listening = listener.start(interrupted);
  interrupted.addEventListener('abort', () => page.close());
  const bound = await Promise.race([listener.listening, listening.catch((error) => refusePort(error, port))]);
  if (bound !== undefined && !interrupted.aborted) announce(context, page, bound);
  const looking = setInterval(() => {
    const before = link.row;
    if (!link.look(model.watches.health(), clock.now(), wallNow())) return;
    if (before.is !== link.row.is) console.err.write(linkLine(link.row));
    views.changed();
  }, LOOK_EVERY_MS);
  await Promise.all([watching, listening]);
  clearInterval(looking);
  views.stop();
  return INTERRUPTED;
}

/** An unreachable cluster, and a missing right or kind, are reported at once, as by every other command. */
async function assertReachable({ client, console }: Context, namespace: string | undefined): Promise<void> {
  const scope = namespace === undefined ? {} : { namespace };
  await client.list(myDeployments, { ...scope, limit: 1, signal: console.interrupted });
}

function portOf({ flags }: Context): number {
  const port = flags.count('port') ?? 0;
  if (port > LARGEST_PORT) throw new UsageError(`--port is at most ${LARGEST_PORT}, got ${port}`);
  return port;
}

function refusePort(error: unknown, port: number): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    throw new UsageError(`port ${port} is in use; choose another with --port, or leave it out`);
  throw error;
}

function announce({ console, flags, server, wallNow }: Context, page: DashboardServer, port: number): void {
  const address = page.address(port);
  console.out.write(`${address}\n`);
  console.err.write(`The page acts with your rights on ${server}: do not share its address. Ctrl-C ends it.\n`);
  if (!flags.on('no-open')) openBrowser(page.ticket(wallNow()));
}

function linkLine(link: LinkRow): string {
  return link.is === 'away' ? `The cluster is away: ${link.because}\n` : 'The cluster is back.\n';
}
