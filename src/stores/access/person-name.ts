import { keyedName } from '../../shared/keyed-hash';

const PERSONS: ReadonlySet<string> = new Set(['userId', 'deviceId', 'user', 'users', 'identity']);

type RequestValues = Readonly<Record<string, unknown>>;

/**
 * Replaces ids of users and devices in the values of a request by `person:<keyed hash>`. Whoever knows the id finds what was done about
 * them in the audit list, and nothing has to be taken out of the list when they are erased.
 */
export function personHider(adminSecrets: readonly string[]): (values: RequestValues) => Record<string, unknown> {
  const hash = keyedName(adminSecrets, 'audited persons');
  const nameOf = (id: unknown): unknown =>
    Array.isArray(id) ? id.map(nameOf) : `person:${hash(typeof id === 'string' ? id : JSON.stringify(id))}`;
  return (values) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, PERSONS.has(name) ? nameOf(value) : value]),
    );
}
