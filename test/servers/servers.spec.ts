import { Redis } from 'ioredis';
import { describeOn } from '../support/servers';
import { TestServer } from './test-server';

describeOn('elasticsearch', ({ elasticsearch }) => {
  it('answers with its version', async () => {
    expect(await (await fetch(elasticsearch)).json()).toMatchObject({
      version: { number: expect.stringMatching(/^9\./) },
    });
  });
});

describeOn('opensearch', ({ opensearch }) => {
  it('answers with its version', async () => {
    const version = { distribution: 'opensearch', number: expect.stringMatching(/^3\./) };
    expect(await (await fetch(opensearch)).json()).toMatchObject({ version });
  });
});

describeOn('redis', ({ redis }) => {
  it('answers', async () => {
    const client = new Redis(redis);
    expect(await client.ping()).toBe('PONG');
    client.disconnect();
  });
});

describeOn('redis', () => {
  it('can be one for a single test, paused, killed and started again on its data', async () => {
    const server = await TestServer.start('redis');
    const client = new Redis(server.url);
    // Only who asks while it is paused gives up: how long a server takes to start again depends on the machine.
    const impatient = new Redis(server.url, { commandTimeout: 300, lazyConnect: true });
    for (const each of [client, impatient]) each.on('error', () => {});
    try {
      await client.set('kept', 'yes');
      await impatient.connect();
      server.pause();
      await expect(impatient.get('kept')).rejects.toThrow(/timed out/);
      impatient.disconnect();
      server.resume();
      await new Promise((done) => setTimeout(done, 1100));
      await server.kill();
      await server.startAgain();
      expect(await client.get('kept')).toBe('yes');
    } finally {
      client.disconnect();
      impatient.disconnect();
      await server.stop();
    }
  });
});
