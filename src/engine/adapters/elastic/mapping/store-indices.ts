import type { estypes } from '@elastic/elasticsearch';

const DIGITS = 6;

export const growingAlias = (serving: string): string => `${serving}-growing`;
export const fillingAlias = (name: string): string => `${name}-filling`;
/** Writes go to it while it is kept; its name says until when, so that a switch and what it leaves are one request. */
export const keptAlias = (serving: string, until: number): string => `${serving}-kept-${until}`;
export const numbered = (number: number): string => String(number).padStart(DIGITS, '0');

/** An index as the cluster tells of it. */
export interface FoundIndex {
  name: string;
  uuid: string;
  aliases: string[];
  createdAt: number;
  /** Whether it has our mark: the number of its schema. */
  isOurs: boolean;
  schema: number;
}

/** A store's indices, by what they are there for. */
export interface StoreIndices {
  serving: string[];
  /** Of the index that serves. */
  uuid: string | null;
  schema: number;
  /** Builds that will replace those. */
  building: string[];
  /** Whether replicas write to what is being built. */
  growing: boolean;
  /** The one that served before. `until`: epoch ms. */
  kept: { name: string; alias: string; until: number } | null;
  orphaned: string[];
  /** Made by somebody else, in the way of ours. */
  alien: string | null;
  /** The highest number of any; 0: there is none. */
  last: number;
}

/** What is asked of an index, so that it is answered in short. */
export const FOUND_FIELDS = ['creation_date', 'uuid']
  .map((field) => `*.settings.index.${field}`)
  .concat('*.aliases', '*.mappings._meta')
  .join(',');

export function toFoundIndices(answer: estypes.IndicesGetResponse): FoundIndex[] {
  return Object.entries(answer).map(([name, { aliases = {}, settings, mappings }]) => {
    const schema: unknown = mappings?._meta?.['schema'];
    return {
      name,
      uuid: settings?.index?.uuid ?? '',
      aliases: Object.keys(aliases),
      createdAt: Number(settings?.index?.creation_date ?? 0),
      isOurs: typeof schema === 'number',
      schema: Number(schema ?? 0),
    };
  });
}

/** `oldest`: what began to be built before was left by a process that died. What others made is never touched. */
export function sortIndices(serving: string, found: readonly FoundIndex[], oldest: number): StoreIndices {
  const sorted: StoreIndices = {
    serving: [],
    uuid: null,
    schema: 0,
    building: [],
    growing: false,
    kept: null,
    orphaned: [],
    alien: null,
    last: 0,
  };
  for (const index of found) {
    const { name, aliases, createdAt, isOurs } = index;
    sorted.last = Math.max(sorted.last, Number(name.slice(serving.length + 1)) || 0);
    if (!isOurs) {
      if (name === serving || aliases.includes(serving)) sorted.alien = name;
    } else if (aliases.includes(serving)) {
      sorted.serving.push(name);
      sorted.uuid = index.uuid;
      sorted.schema = index.schema;
    } else if (aliases.includes(fillingAlias(name)) && createdAt >= oldest) {
      sorted.building.push(name);
      sorted.growing ||= aliases.includes(growingAlias(serving));
    } else {
      const kept = keptOf(serving, index);
      if (kept) sorted.kept = kept;
      else sorted.orphaned.push(name);
    }
  }
  return sorted;
}

function keptOf(serving: string, { name, aliases }: FoundIndex): StoreIndices['kept'] {
  const start = keptAlias(serving, 0).slice(0, -1);
  const alias = aliases.find((each) => each.startsWith(start));
  return alias === undefined ? null : { name, alias, until: Number(alias.slice(start.length)) };
}

type AliasActions = estypes.IndicesUpdateAliasesAction[];

interface Switch {
  old: readonly string[];
  next: string;
  filling: string;
  /** Kept so far. */
  kept: StoreIndices['kept'];
  /** Until when the old one is kept, epoch ms; null: not at all. */
  keptUntil: number | null;
}

/** The index that was kept serves, and the one that serves does not. Both have to be what they were. */
export function rollBackActions(
  serving: string,
  { current, kept }: { current: readonly string[]; kept: NonNullable<StoreIndices['kept']> },
): AliasActions {
  return [
    ...current.map((index) => ({ remove: { index, alias: serving, must_exist: true } })),
    { remove: { index: kept.name, alias: kept.alias, must_exist: true } },
    { add: { index: kept.name, alias: serving } },
  ];
}

/** All of it or nothing: an index that somebody began anew has lost the aliases that are to be removed. */
export function switchActions(serving: string, { old, next, filling, kept, keptUntil }: Switch): AliasActions {
  const keep = { alias: keptAlias(serving, keptUntil ?? 0) };
  return [
    ...(kept ? [{ remove: { index: kept.name, alias: kept.alias } }] : []),
    ...old.map((index) => ({ remove: { index, alias: serving } })),
    ...(keptUntil === null ? [] : old.map((index) => ({ add: { index, ...keep } }))),
    { add: { index: next, alias: serving } },
    ...[growingAlias(serving), filling].map((alias) => ({ remove: { index: next, alias, must_exist: true } })),
  ];
}
