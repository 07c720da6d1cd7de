/** A store's share of an index that stores share. */
export interface PooledPlace {
  /** Name of the pool. */
  pool: string;
  scope: string;
}

/** `own`: an index that is the store's alone, found by its aliases. */
export type StoredPlace = PooledPlace | 'own';

/** Where a store is, as all replicas go by it. */
export interface PlaceRecord {
  /** Scopes that the store has had. */
  last: number;
  serving: StoredPlace;
  /** What will replace it. `build`: of whoever fills it; `since`: epoch ms. */
  growing: { place: StoredPlace; build: string; since: number } | null;
  /** What served before, written to until then (epoch ms). An index of its own is kept by an alias instead. */
  kept: { place: PooledPlace; until: number } | null;
  /** What is to be deleted once nobody can be reading it. `since`: epoch ms. */
  leaving: { place: StoredPlace; since: number }[];
}

export const firstRecord = (serving: StoredPlace): PlaceRecord => ({
  last: serving === 'own' ? 0 : 1,
  serving,
  growing: null,
  kept: null,
  leaving: [],
});

/** Whether somebody has to look at the store again, although nothing is written of it. */
export const isSettled = ({ growing, kept, leaving }: PlaceRecord): boolean =>
  growing === null && kept === null && leaving.length === 0;

/** Begins a build; one that another had begun is given up. */
export function begun(
  record: PlaceRecord,
  { place, build, now }: { place: StoredPlace; build: string; now: number },
): PlaceRecord {
  const { leaving, ...rest } = withoutGrowing(record, now);
  const growing = { place, build, since: now };
  // An index of its own is made where no earlier one is left.
  if (place === 'own') return { ...rest, growing, leaving: leaving.filter((one) => one.place !== 'own') };
  return { ...rest, growing, leaving, last: record.last + 1 };
}

/** Null: the build is no longer the one to be switched to. `keptUntil` null: what served is not kept. */
export function switched(
  record: PlaceRecord,
  { build, now, keptUntil }: { build: string; now: number; keptUntil: number | null },
): PlaceRecord | null {
  const { growing, serving } = record;
  if (growing?.build !== build) return null;
  const keeps = keptUntil !== null && serving !== 'own';
  const gone = [...(record.kept ? [record.kept.place] : []), ...(keeps ? [] : [serving])];
  return {
    ...record,
    serving: growing.place,
    growing: null,
    kept: keeps ? { place: serving, until: keptUntil } : null,
    leaving: [...record.leaving, ...gone.map((place) => ({ place, since: now }))],
  };
}

/** Null: there is nothing to go back to. */
export function wentBack(record: PlaceRecord, now: number): PlaceRecord | null {
  const { kept, serving } = record;
  if (!kept || kept.until <= now) return null;
  return { ...record, serving: kept.place, kept: null, leaving: [...record.leaving, { place: serving, since: now }] };
}

/** Without the build, if it is that one (absent: any). */
export function withoutGrowing(record: PlaceRecord, now: number, build = record.growing?.build): PlaceRecord {
  const { growing } = record;
  if (!growing || growing.build !== build) return record;
  return { ...record, growing: null, leaving: [...record.leaving, { place: growing.place, since: now }] };
}

/** Without what was kept long enough, and without a build of a process that died. */
export function aged(record: PlaceRecord, { now, oldestBuild }: { now: number; oldestBuild: number }): PlaceRecord {
  const { growing, kept } = record;
  const current = growing && growing.since < oldestBuild ? withoutGrowing(record, now) : record;
  if (!kept || kept.until > now) return current;
  return { ...current, kept: null, leaving: [...current.leaving, { place: kept.place, since: now }] };
}

/** Without what was deleted. */
export function withoutLeft(record: PlaceRecord, places: readonly StoredPlace[]): PlaceRecord {
  return { ...record, leaving: record.leaving.filter(({ place }) => !places.some((one) => isSame(one, place))) };
}

export const isInUse = ({ serving, growing, kept }: PlaceRecord, place: StoredPlace): boolean =>
  [serving, growing?.place, kept?.place].some((one) => one !== undefined && isSame(one, place));

const isSame = (a: StoredPlace, b: StoredPlace): boolean =>
  a === 'own' || b === 'own' ? a === b : a.scope === b.scope && a.pool === b.pool;

/** Without the kept place, which another index before takes the place of. */
export function withoutKept(record: PlaceRecord, now: number): PlaceRecord {
  const { kept } = record;
  if (!kept) return record;
  return { ...record, kept: null, leaving: [...record.leaving, { place: kept.place, since: now }] };
}
