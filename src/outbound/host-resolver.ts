import { lookup } from 'node:dns/promises';

/** Answers the addresses of a host name. Rejects where there is none. */
export abstract class HostResolver {
  abstract resolve(host: string): Promise<string[]>;
}

/** As every other program on this machine resolves names: `/etc/hosts` and the names of containers are known, too. */
export class SystemHostResolver extends HostResolver {
  override async resolve(host: string): Promise<string[]> {
    const found = await lookup(host, { all: true });
    return found.map(({ address }) => address);
  }
}
