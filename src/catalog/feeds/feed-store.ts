import { Injectable } from '@nestjs/common';
import { type DocumentKey, DocumentConflict, Documents } from '../../documents/documents';
import { retry } from '../../shared/async/retry';
import { digestOf } from '../../shared/digest';
import type { Store } from '../../stores/store';
import type { Validators } from '../imports/feed-source';
import type { ImportPayload } from '../imports/import-payload';
import type { FeedDefinition } from './feed-schemas';

/** What a feed has been through. */
export interface FeedState {
  /** Epoch ms: when it is fetched next. */
  dueAt: number;
  /** Its last jobs, the newest first. */
  jobs: string[];
  /** Of the last import that came to its end; `of`: from where, and how it was read. */
  validators?: Validators & { of: string };
}

export interface NamedFeed extends FeedDefinition {
  name: string;
}

const DEFINITION = 'feed';
const STATE = 'feed-state';
const MOST_JOBS = 10;
const CONFLICTS = { times: 20, pauseMs: 20, again: (error: unknown): boolean => error instanceof DocumentConflict };

const keyOf = (store: string, kind: string, id: string): DocumentKey => ({ store, kind, id });
const nothing: FeedState = { dueAt: 0, jobs: [] };

/** Feeds of stores: what they are, and apart from that what they have been through. */
@Injectable()
export class FeedStore {
  constructor(private readonly documents: Documents) {}

  /** By name. */
  async list(store: Store): Promise<NamedFeed[]> {
    const found = await this.documents.list<FeedDefinition>({ kind: DEFINITION, store: store.id });
    return found.map(({ id, body }) => ({ name: id, ...body }));
  }

  /** Of every store, by its internal id: asked at once, since most have none. */
  async all(): Promise<Map<string, NamedFeed[]>> {
    const all = new Map<string, NamedFeed[]>();
    for (const { store, id, body } of await this.documents.list<FeedDefinition>({ kind: DEFINITION })) {
      all.set(store, [...(all.get(store) ?? []), { name: id, ...body }]);
    }
    return all;
  }

  async find(store: Store, name: string): Promise<NamedFeed | null> {
    const found = await this.documents.get<FeedDefinition>(keyOf(store.id, DEFINITION, name));
    return found && { name, ...found.body };
  }

  async put(store: Store, name: string, body: FeedDefinition): Promise<void> {
    await this.documents.put([{ ...keyOf(store.id, DEFINITION, name), body }]);
  }

  /** False where there was none. */
  async remove(store: Store, name: string): Promise<boolean> {
    await this.documents.remove(keyOf(store.id, STATE, name));
    return this.documents.remove(keyOf(store.id, DEFINITION, name));
  }

  async state(store: Store, name: string): Promise<FeedState> {
    return (await this.documents.get<FeedState>(keyOf(store.id, STATE, name)))?.body ?? nothing;
  }

  /** A job of the feed has begun. */
  async begun(store: Store, name: string, { jobId, dueAt }: { jobId: string; dueAt: number }): Promise<void> {
    await this.change(store, name, ({ jobs, ...state }) => {
      const others = jobs.filter((job) => job !== jobId);
      return { ...state, dueAt, jobs: [jobId, ...others].slice(0, MOST_JOBS) };
    });
  }

  /** None where the feed was read in another way the last time: then it has to be imported again. */
  async validators(store: Store, name: string, payload: ImportPayload): Promise<Validators> {
    const { validators } = await this.state(store, name);
    if (validators?.of !== (await this.wayOf(store, name, payload))) return {};
    const { of: _of, ...known } = validators;
    return known;
  }

  async remember(
    store: Store,
    name: string,
    { payload, validators }: { payload: ImportPayload; validators: Validators },
  ): Promise<void> {
    const of = await this.wayOf(store, name, payload);
    await this.change(store, name, (state) => ({ ...state, validators: { ...validators, of } }));
  }

  private async wayOf(store: Store, name: string, { mode, syntax, mapping }: ImportPayload): Promise<string> {
    return digestOf((await this.find(store, name))?.url, mode, syntax, mapping, store.settings.currency);
  }

  private async change(store: Store, name: string, step: (state: FeedState) => FeedState): Promise<void> {
    const key = keyOf(store.id, STATE, name);
    await retry(async () => {
      const found = await this.documents.get<FeedState>(key);
      const body = step(found?.body ?? nothing);
      await this.documents.put([{ ...key, body, expectedVersion: found?.version ?? 0 }]);
    }, CONFLICTS);
  }
}
