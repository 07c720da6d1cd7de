/** A store's share of an index that stores share. */
export interface PooledLocation {
  /** Name of the pool. */
  pool: string;
  scope: string;
}

/** `own`: an index that is the store's alone, found by its aliases. */
export type StoredLocation = PooledLocation | 'own';

/** Where a store is, as all replicas go by it. */
export interface LocationRecord {
  /** Scopes that the store has had. */
  last: number;
  serving: StoredLocation;
  /** What will replace it. `build`: of whoever fills it; `since`: epoch ms. */
  growing: { location: StoredLocation; build: string; since: number } | null;
  /** What served before, written to until then (epoch ms). An index of its own is kept by an alias instead. */
  kept: { location: PooledLocation; until: number } | null;
  /** What is to be deleted once nobody can be reading it. `since`: epoch ms. */
  leaving: { location: StoredLocation; since: number }[];
  /** It was gone back to: until then (epoch ms) it is not moved for having grown. */
  stays?: number;
}

export const firstRecord = (serving: StoredLocation): LocationRecord => ({
  last: serving === 'own' ? 0 : 1,
  serving,
  growing: null,
  kept: null,
  leaving: [],
});

/** Whether somebody has to look at the store again, although nothing is written of it. */
export const isSettled = ({ growing, kept, leaving }: LocationRecord): boolean =>
  growing === null && kept === null && leaving.length === 0;

/** When something is to be deleted, or a build was left by a process that died. Epoch ms. */
export interface Due {
  now: number;
  /** A build that was begun before is given up. */
  oldestBuild: number;
  /** What had to leave before is deleted. */
  oldestLeaving: number;
}

/** Whether there is something to be done about it by now. */
export const isDue = ({ growing, kept, leaving }: LocationRecord, { now, oldestBuild, oldestLeaving }: Due): boolean =>
  (growing !== null && growing.since < oldestBuild) ||
  (kept !== null && kept.until <= now) ||
  leaving.some(({ since }) => since <= oldestLeaving);

/** Begins a build; one that another had begun is given up. */
export function begun(
  record: LocationRecord,
  { location, build, now }: { location: StoredLocation; build: string; now: number },
): LocationRecord {
  const { leaving, ...rest } = withoutGrowing(record, now);
  const growing = { location, build, since: now };
  // An index of its own is made where no earlier one is left.
  if (location === 'own') return { ...rest, growing, leaving: leaving.filter((one) => one.location !== 'own') };
  return { ...rest, growing, leaving, last: record.last + 1 };
}

/** Null: the build is no longer the one to be switched to. `keptUntil` null: what served is not kept. */
export function switched(
  record: LocationRecord,
  { build, now, keptUntil }: { build: string; now: number; keptUntil: number | null },
): LocationRecord | null {
  const { growing, serving } = record;
  if (growing?.build !== build) return null;
  const keeps = keptUntil !== null && serving !== 'own';
  const gone = [...(record.kept ? [record.kept.location] : []), ...(keeps ? [] : [serving])];
  return {
    ...record,
    serving: growing.location,
    growing: null,
    kept: keeps ? { location: serving, until: keptUntil } : null,
    leaving: [...record.leaving, ...gone.map((location) => ({ location, since: now }))],
  };
}

/** Whether it is moved once it is large. */
export const mayGrow = ({ serving, stays = 0 }: LocationRecord, now: number): boolean =>
  serving !== 'own' && stays <= now;

/** Null: there is nothing to go back to. `stays`: epoch ms. */
export function wentBack(record: LocationRecord, now: number, stays: number): LocationRecord | null {
  const { kept, serving } = record;
  if (!kept || kept.until <= now) return null;
  return {
    ...record,
    serving: kept.location,
    kept: null,
    stays,
    leaving: [...record.leaving, { location: serving, since: now }],
  };
}

/** Without the build, if it is that one (absent: any). */
export function withoutGrowing(record: LocationRecord, now: number, build = record.growing?.build): LocationRecord {
  const { growing } = record;
  if (!growing || growing.build !== build) return record;
  return { ...record, growing: null, leaving: [...record.leaving, { location: growing.location, since: now }] };
}

/** Without what was kept long enough, and without a build of a process that died. */
export function aged(
  record: LocationRecord,
  { now, oldestBuild }: { now: number; oldestBuild: number },
): LocationRecord {
  const { growing, kept } = record;
  const current = growing && growing.since < oldestBuild ? withoutGrowing(record, now) : record;
  if (!kept || kept.until > now) return current;
  return { ...current, kept: null, leaving: [...current.leaving, { location: kept.location, since: now }] };
}

/** Without what was deleted. */
export function withoutLeft(record: LocationRecord, locations: readonly StoredLocation[]): LocationRecord {
  return {
    ...record,
    leaving: record.leaving.filter(({ location }) => !locations.some((one) => isSame(one, location))),
  };
}

export const isInUse = ({ serving, growing, kept }: LocationRecord, location: StoredLocation): boolean =>
  [serving, growing?.location, kept?.location].some((one) => one !== undefined && isSame(one, location));

const isSame = (a: StoredLocation, b: StoredLocation): boolean =>
  a === 'own' || b === 'own' ? a === b : a.scope === b.scope && a.pool === b.pool;

/** Without the kept place, which another index before takes the place of. */
export function withoutKept(record: LocationRecord, now: number): LocationRecord {
  const { kept } = record;
  if (!kept) return record;
  return { ...record, kept: null, leaving: [...record.leaving, { location: kept.location, since: now }] };
}
