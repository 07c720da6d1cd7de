/** Of the body that answers a refused request, or a refused part of it. */
export interface ServerError {
  type?: unknown;
  reason?: unknown;
  root_cause?: unknown;
  caused_by?: unknown;
}

/** What Elasticsearch refuses for, and what whoever runs it can do. */
export const REFUSALS = {
  disk_full: 'its disk is nearly full (flood stage watermark): free space or add nodes, and it takes writes again',
  read_only: 'an index was made read-only: set index.blocks.write, read_only and read_only_allow_delete to null',
  index_closed: 'an index is closed: open it (POST <index>/_open), or reindex its store',
  index_missing: 'the search index of a store is gone: it is made again from the records by itself, within a minute',
  index_lost: 'an index that every store needs is gone, and is never made anew by itself: restore it from a snapshot',
  index_unreadable:
    'no copy of a shard of an index is there: see GET _cluster/allocation/explain; where it is lost, delete the index, and it is made anew',
  alien_index: 'an index under our name was made by somebody else: delete or rename it, or set another INDEX_PREFIX',
  shard_limit:
    'no index can be made, the cluster has as many shards as it may: raise cluster.max_shards_per_node, or add nodes',
  no_rights:
    'its user may not do this: it needs `monitor` and `manage_index_templates`, and `all` on the indices of the prefix',
  too_large: 'a request is larger than it takes: raise http.max_content_length',
  overloaded: 'its memory or its queues are full: give it a larger heap, or more nodes',
  other: 'nothing of this is the fault of a caller: see the log of Elasticsearch, and report it',
} as const;

export type RefusalKind = keyof typeof REFUSALS;

/** What another replica's doing explains; whoever asked decides what it means. */
const EXPECTED = new Set(['resource_already_exists_exception', 'version_conflict_engine_exception']);
const SHARD_LIMIT = /would add \[\d+\].* shards?|maximum (normal )?shards open/;

/**
 * Why a request was refused; undefined where the cluster is down rather than unwilling, and for answers that are part of the work (not
 * found, there already, changed meanwhile). The reason the server gives is read here and never kept: it may quote documents.
 */
export function refusalKind(status: number | undefined, error: ServerError): RefusalKind | undefined {
  if (status === undefined || status < 400) return undefined;
  const causes = causesOf(error);
  const has = (type: string): boolean => causes.some((cause) => cause.type === type);
  const says = (pattern: RegExp): boolean => causes.some(({ reason }) => pattern.test(String(reason)));
  if (has('index_closed_exception')) return 'index_closed';
  if (has('cluster_block_exception')) return blockKind(says);
  if (says(SHARD_LIMIT)) return 'shard_limit';
  if (status === 404 || status === 409 || status > 500 || causes.some(({ type }) => EXPECTED.has(String(type))))
    return undefined;
  return BY_STATUS[status] ?? 'other';
}

const BY_STATUS: Readonly<Record<number, RefusalKind>> = {
  401: 'no_rights',
  403: 'no_rights',
  413: 'too_large',
  429: 'overloaded',
};

/** Blocks are numbered: 4 is a closed index, 12 what a full disk brings. Those that pass by themselves name the service. */
function blockKind(says: (pattern: RegExp) => boolean): RefusalKind | undefined {
  if (says(/\/4\/|index closed/)) return 'index_closed';
  if (says(/\/12\/|flood-stage|read-only-allow-delete/)) return 'disk_full';
  return says(/SERVICE_UNAVAILABLE/) ? undefined : 'read_only';
}

/** The error and what is named behind it, where the outer one says no more than that all parts of a search failed. */
function causesOf(error: unknown, depth = 4): ServerError[] {
  if (typeof error !== 'object' || error === null || depth === 0) return [];
  const { root_cause: roots, caused_by: cause } = error as ServerError;
  return [error, ...causesOf(cause, depth - 1), ...(Array.isArray(roots) ? (roots as ServerError[]) : [])];
}

/** What is told of refusals of one kind: how many since it was told last, and of what the last one was. */
export interface Refused {
  kind: RefusalKind;
  count: number;
  what: string;
}

const TELL_EVERY_MS = 60_000;

/** Counts refusals by kind, and tells of each kind at once and then once a minute at most. */
export class Refusals {
  private readonly counts = new Map<RefusalKind, number>();
  private readonly last = new Map<RefusalKind, number>();
  private readonly told = new Map<RefusalKind, { at: number; count: number }>();
  private tell: (refused: Refused) => void = () => undefined;

  onRefusal(tell: (refused: Refused) => void): void {
    this.tell = tell;
  }

  /** `what`: the request or the index, without ids of documents. */
  note(kind: RefusalKind, what: string, now = performance.now()): void {
    const total = this.count(kind) + 1;
    this.counts.set(kind, total);
    this.last.set(kind, now);
    const last = this.told.get(kind);
    if (last && now - last.at < TELL_EVERY_MS) return;
    this.told.set(kind, { at: now, count: total });
    this.tell({ kind, count: total - (last?.count ?? 0), what });
  }

  count(kind: RefusalKind): number {
    return this.counts.get(kind) ?? 0;
  }

  /** Milliseconds since the last one; Infinity: there was none. */
  since(kind: RefusalKind, now = performance.now()): number {
    return now - (this.last.get(kind) ?? -Infinity);
  }
}
