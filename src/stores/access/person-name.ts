import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets';

const PERSONS: ReadonlySet<string> = new Set(['userId', 'deviceId', 'user', 'users', 'identity']);

/**
 * Persons in the audit list: by a keyed hash of their id. Who knows the id can find what was done about them, and nothing has to be
 * taken out of the list when they are erased.
 */
@Injectable()
export class PersonNames {
  private readonly key: Buffer;

  constructor(secrets: Secrets) {
    this.key = Buffer.from(hkdfSync('sha256', secrets.adminSecret[0] ?? '', '', 'vitrine audited persons', 32));
  }

  /** The values of a request, ids of users and devices replaced: `person:<hash>`. */
  hide(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, PERSONS.has(name) ? this.nameOf(value) : value]),
    );
  }

  private nameOf(id: unknown): unknown {
    if (Array.isArray(id)) return id.map((one: unknown) => this.nameOf(one));
    const hash = createHmac('sha256', this.key)
      .update(typeof id === 'string' ? id : JSON.stringify(id))
      .digest('base64url');
    return `person:${hash.slice(0, 22)}`;
  }
}
