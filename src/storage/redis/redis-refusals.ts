/** GETEX, SET with NX and GET, and what BullMQ recommends. */
const OLDEST = [6, 2] as const;

/** Why a Redis can't be used, from what INFO says of it; null where it can. */
export function unusable(info: string): string | null {
  const fields = new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)] as const] : [];
    }),
  );
  const version = fields.get('redis_version') ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return `Redis ${version} is too old: ${OLDEST.join('.')} or newer is required`;
  }
  if (fields.get('redis_mode') === 'cluster')
    return 'this is a Redis cluster: a single Redis (or a primary) is required';
  if (fields.get('role') === 'slave') return 'this Redis is a replica and takes no writes: the primary is required';
  // A profile whose recent events were evicted would look whole, and lack events.
  const policy = fields.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction' && Number(fields.get('maxmemory') ?? 0) > 0) {
    return `maxmemory-policy is ${policy}, which drops what is still needed: noeviction is required`;
  }
  return null;
}
