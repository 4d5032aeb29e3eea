// The process behind PortForward. It ends with the process that started it: Node tells it when their channel closes.

import { connect, type Server } from 'node:net';

const port = Number(process.argv[2]);

process.once('message', (_message, listener: Server) => {
  listener.on('connection', (client) => {
    const server = connect({ host: '127.0.0.1', port, noDelay: true });
    client.setNoDelay(true);
    client.pipe(server).pipe(client);
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  process.send?.('forwarding');
});
process.once('disconnect', () => process.exit(0));
