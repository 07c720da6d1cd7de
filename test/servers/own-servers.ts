import { type Mode, productionMode } from '../support/modes';
import { TestServer } from './test-server';

/** Servers that are started where none are named, for what takes long. */
export class OwnServers {
  private readonly started: TestServer[] = [];

  async mode(): Promise<Mode> {
    const elasticsearch = await this.address('elasticsearch', 'ELASTICSEARCH_URL');
    return productionMode({ elasticsearch, redis: await this.address('redis', 'REDIS_URL') });
  }

  async stop(): Promise<void> {
    await Promise.all(this.started.map((server) => server.stop()));
  }

  private async address(kind: 'elasticsearch' | 'redis', variable: string): Promise<string> {
    const given = process.env[variable];
    if (given !== undefined) return given;
    const server = await TestServer.start(kind, 'long');
    this.started.push(server);
    return server.url;
  }
}
