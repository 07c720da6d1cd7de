import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { type DocumentKey, DocumentConflict, Documents } from '../../documents/documents';
import { ApiError } from '../../shared/api-error';
import { retry } from '../../shared/async/retry';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { type FeedMapping, mappingSchema } from '../imports/items/feed-mapping';

const KIND = 'feed-mapping';
/** A document holds all of them. */
const MOST_VERSIONS = 20;
const LARGEST = 16_384;
const MOST_MAPPINGS = 100;
const CONFLICTS = { times: 10, pauseMs: 20, again: (error: unknown): boolean => error instanceof DocumentConflict };

const keyOf = (store: Store, id: string): DocumentKey => ({ store: store.id, kind: KIND, id });

export const savedMapping = z.object({
  name: z.string(),
  version: z.int(),
  updatedAt: z.iso.datetime(),
  updatedBy: z.string(),
  mapping: mappingSchema,
});
export type SavedMapping = z.output<typeof savedMapping>;

interface Stored {
  /** Oldest first. */
  versions: SavedMapping[];
}

/** Where stores' feeds have the fields of products, by name; a version never changes. */
@Injectable()
export class FeedMappings {
  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
  ) {}

  /** The newest version of each, by name. */
  async list(store: Store): Promise<SavedMapping[]> {
    const found = await this.documents.list<Stored>({ kind: KIND, store: store.id });
    return found.flatMap(({ body }) => body.versions.at(-1) ?? []);
  }

  /** `version` absent: the newest. Throws 404. */
  async get(store: Store, name: string, version?: number): Promise<SavedMapping> {
    const versions = (await this.documents.get<Stored>(keyOf(store, name)))?.body.versions ?? [];
    if (versions.length === 0) throw new ApiError('not_found', `There is no mapping "${name}"`);
    const found = version === undefined ? versions.at(-1) : versions.find((known) => known.version === version);
    if (found) return found;
    const kept = versions.map((known) => known.version).join(', ');
    throw new ApiError('not_found', `The mapping "${name}" has no version ${version}; it has ${kept}`);
  }

  /** Makes a version, unless the newest is the same. */
  async put(store: Store, name: string, mapping: FeedMapping, by: string): Promise<SavedMapping> {
    if (JSON.stringify(mapping).length > LARGEST) {
      throw new ApiError('invalid_body', `A mapping has at most ${LARGEST} characters as JSON`);
    }
    return retry(() => this.tryPut(store, name, mapping, by), CONFLICTS);
  }

  private async tryPut(store: Store, name: string, mapping: FeedMapping, by: string): Promise<SavedMapping> {
    const found = await this.documents.get<Stored>(keyOf(store, name));
    if (!found && (await this.list(store)).length >= MOST_MAPPINGS) {
      throw new ApiError('conflict', `A store has at most ${MOST_MAPPINGS} mappings`);
    }
    const versions = found?.body.versions ?? [];
    const newest = versions.at(-1);
    if (newest && isDeepStrictEqual(newest.mapping, mapping)) return newest;
    const updatedAt = new Date(this.clock.now()).toISOString();
    const saved = { name, version: (newest?.version ?? 0) + 1, updatedAt, updatedBy: by, mapping };
    const body: Stored = { versions: [...versions, saved].slice(-MOST_VERSIONS) };
    await this.documents.put([{ ...keyOf(store, name), body, expectedVersion: found?.version ?? 0 }]);
    return saved;
  }

  /** Throws 404. Feeds that name it fail until it is there again. */
  async remove(store: Store, name: string): Promise<void> {
    if (await this.documents.remove(keyOf(store, name))) return;
    throw new ApiError('not_found', `There is no mapping "${name}"`);
  }
}
