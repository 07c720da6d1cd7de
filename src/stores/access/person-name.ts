import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets';
import { keyedName } from '../../shared/keyed-hash';

const PERSONS: ReadonlySet<string> = new Set(['userId', 'deviceId', 'user', 'users', 'identity']);

/**
 * Names persons in the audit list by a keyed hash of their id. Whoever knows the id finds what was done about them, and nothing has to be
 * taken out of the list when they are erased.
 */
@Injectable()
export class PersonNames {
  private readonly hash: (text: string) => string;

  constructor(secrets: Secrets) {
    this.hash = keyedName(secrets.adminSecret, 'audited persons');
  }

  /** The values of a request, ids of users and devices replaced: `person:<hash>`. */
  hide(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, PERSONS.has(name) ? this.nameOf(value) : value]),
    );
  }

  private nameOf(id: unknown): unknown {
    if (Array.isArray(id)) return id.map((item: unknown) => this.nameOf(item));
    return `person:${this.hash(typeof id === 'string' ? id : JSON.stringify(id))}`;
  }
}
