import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../../bench/load/connection';

/** Replies as they come, piece by piece. */
const REPLIES = [
  ['HTTP/1.1 200 OK\r\ncontent-le', 'ngth: 5\r\n\r\nhe', 'llo'],
  ['HTTP/1.1 503 Busy\r\ncontent-length: 5\r\n\r\nlater'],
  ['HTTP/1.1 204 No Content\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel', 'lo\r\n', '4\r\n you\r\n0\r\n', '\r\n'],
  ['HTTP/1.1 200 OK\r\ncontent-length: 600000\r\n\r\n', 'é'.repeat(300_000)],
];
const PIECE_MS = 5;

describe('a connection of the load generators', () => {
  let server: Server;
  let port: number;

  beforeEach(async () => {
    server = createServer((socket) => {
      let next = 0;
      socket.on('error', () => undefined);
      socket.on('data', () => {
        const pieces = REPLIES[next++];
        if (!pieces) return void socket.destroy();
        void (async () => {
          for (const piece of pieces) {
            socket.write(piece);
            await sleep(PIECE_MS);
          }
        })();
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => new Promise((done) => server.close(done)));

  /** What several get that are read in turns. */
  const told = async (headsOnly: boolean): Promise<string[][]> => {
    const connections = Array.from({ length: 3 }, () => new Connection(port, { headsOnly }));
    const one = (connection: Connection): Promise<string> =>
      connection.send({ method: 'GET', path: '/' }).then(
        ({ status, body }) => `${status} ${body.length} ${body.slice(0, 9)}`,
        (error: unknown) => String(error),
      );
    const rounds: string[][] = [];
    for (let round = 0; round <= REPLIES.length; round += 1) {
      const replies = await Promise.all(connections.map(one));
      rounds.push([...new Set(replies)]);
    }
    return rounds;
  };

  test('reads replies whole, however they come', async () => {
    expect(await told(false)).toEqual([
      ['200 5 hello'],
      ['503 5 later'],
      ['204 0 '],
      ['200 9 hello you'],
      ['200 300000 ééééééééé'],
      ['Error: The connection was closed'],
    ]);
  });

  test('or their heads alone', async () => {
    expect(await told(true)).toEqual([
      ['200 0 '],
      ['503 0 '],
      ['204 0 '],
      ['200 0 '],
      ['200 0 '],
      ['Error: The connection was closed'],
    ]);
  });
});
