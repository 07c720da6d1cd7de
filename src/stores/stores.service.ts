import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Mutex } from '../shared/async/mutex';
import { Clock } from '../shared/clock';
import { digestOf } from '../shared/digest';
import { Secrets } from '../config/secrets';
import { DocumentConflict, Documents, type PutDocument } from '../documents/documents';
import { CacheInvalidation } from '../documents/cache-invalidation';
import type { SharedCache } from '../documents/shared-cache';
import { ApiError } from '../shared/api-error';
import type { Store } from './store';
import { apiKeyDocument, apiKeyKey, recordKey } from './store-documents';
import { type StoreRecord, StoreDirectory } from './store-directory';
import { isLive, randomBase32, SecretHasher } from './store-secrets';
import { defaultSettings, initialSettings, mergeSettings, type SettingsPatch } from './store-settings';
import { type PlannedStore, UnansweredStores } from './unanswered-stores';

export interface NewStore {
  apiKey?: string | undefined;
  name: string;
  origins?: string[] | undefined;
  settings?: SettingsPatch | undefined;
}

/** The secret can't be read again. */
export interface CreatedStore {
  store: Store;
  secretKey: string;
}

/**
 * Called after a change is durable, with the store as it is and as it was (null: it is new). Of changed settings it is called until it
 * succeeds, if need be by another process: it has to be idempotent.
 */
export type StoreListener = (store: Store, before: Store | null) => void | Promise<void>;

const DAY_SECONDS = 86_400;

/**
 * The stores, their keys and origins. All of them are held in memory, so that finding out who calls costs no I/O; every
 * change is durable before it shows, and is answered when every replica has seen it.
 */
@Injectable()
export class StoresService extends StoreDirectory implements OnModuleInit, OnApplicationBootstrap {
  private readonly versions = new Map<string, number>();
  private readonly listeners: StoreListener[] = [];
  private readonly hasher: SecretHasher;
  private readonly mutex = new Mutex();
  private readonly cache: SharedCache;
  private readonly unanswered = new UnansweredStores();

  constructor(
    private readonly documents: Documents,
    private readonly caches: CacheInvalidation,
    private readonly clock: Clock,
    secrets: Secrets,
  ) {
    super();
    this.hasher = new SecretHasher(secrets.adminSecret);
    this.cache = caches.cache('stores', () => this.load());
  }

  async onModuleInit(): Promise<void> {
    await this.cache.open();
  }

  /** A process that ended in the middle of a change may have been the only one. */
  async onApplicationBootstrap(): Promise<void> {
    await this.tellUntold();
  }

  /** Reads what other replicas have changed until now: for whoever is about to say that there is no such store, or key. */
  catchUp(): Promise<void> {
    return this.caches.refresh();
  }

  private async load(): Promise<void> {
    const documents = await this.documents.list<StoreRecord>({ kind: 'store', store: '*' });
    const gone = new Set(this.versions.keys());
    for (const { id, body, version } of documents) {
      gone.delete(id);
      if (this.versions.get(id) === version) continue;
      this.versions.set(id, version);
      // A setting that came with a later version of the service has its default.
      const settings = mergeSettings(defaultSettings, body.store.settings);
      this.set({ ...body, store: { ...body.store, settings } });
    }
    for (const id of gone) this.drop(id);
  }

  private drop(id: string): void {
    this.versions.delete(id);
    this.remove(id);
  }

  /** The store these keys open, and which of its secrets it was. Takes as long for an unknown apiKey, so that time tells nobody which exist. */
  authenticate(apiKey: string, secretKey: string): { store: Store; secretId: string } | undefined {
    const record = this.recordByApiKey(apiKey);
    const found = this.hasher.find(secretKey, record?.secrets ?? [], this.clock.now());
    if (!record || !found) return undefined;
    if (found.stale) void this.rehash(record.store.id, found.match.id, secretKey);
    return { store: record.store, secretId: found.match.id };
  }

  /** Whether a secret named in a token still opens the store. */
  secretIsLive(storeId: string, secretId: string): boolean {
    const secret = this.record(storeId)?.secrets.find(({ id }) => id === secretId);
    return secret !== undefined && this.byId(storeId) !== undefined && isLive(secret, this.clock.now());
  }

  onChange(listener: StoreListener): void {
    this.listeners.push(listener);
  }

  /**
   * Whoever was told that the storage is late, and asks once more for the same store by its apiKey, is answered with what was written meanwhile.
   * Throws `conflict` where the apiKey is taken, or an origin.
   */
  async create(input: NewStore): Promise<CreatedStore> {
    const { apiKey = randomBase32(20) } = input;
    const asked = digestOf({ ...input, apiKey });
    let plan: PlannedStore | undefined;
    try {
      const created = await this.alone(async () => {
        const { id } = (plan ??= this.unanswered.take(asked) ?? this.plan());
        if (this.record(id)?.deletedAt !== undefined) plan = this.plan();
        return (await this.written(plan)) ?? (await this.write(plan, { ...input, apiKey }));
      });
      await this.cache.seenByAll();
      await this.tell(created.store, null);
      return created;
    } catch (error) {
      // A store that is being erased still holds its apiKey.
      if (error instanceof DocumentConflict) throw apiKeyTaken(apiKey);
      if (plan && input.apiKey !== undefined && isUnanswered(error)) this.unanswered.keep(asked, plan);
      throw error;
    }
  }

  private plan(): PlannedStore {
    return { id: randomBase32(16), createdAt: new Date(this.clock.now()).toISOString(), ...this.hasher.create() };
  }

  /** The store of a plan that was written by a call which was not answered. */
  private async written({ id, secretKey }: PlannedStore): Promise<CreatedStore | undefined> {
    const record = this.record(id);
    if (!record) return undefined;
    const { store, secrets } = record;
    // Whoever found it without its secret may have made another one.
    if (!this.hasher.find(secretKey, secrets, this.clock.now())) throw apiKeyTaken(store.apiKey);
    // Two writes of it at once may each have had one half, and given up the other.
    await this.documents.put([apiKeyDocument(store)]).catch((error: unknown) => {
      if (!(error instanceof DocumentConflict)) throw error;
    });
    return { store, secretKey };
  }

  private async write(
    { id, createdAt, secretKey, stored }: PlannedStore,
    { apiKey, name, origins, settings }: NewStore & { apiKey: string },
  ): Promise<CreatedStore> {
    const checked = this.checkOrigins(id, origins ?? []);
    const store: Store = { id, apiKey, name, origins: checked, settings: initialSettings(settings ?? {}), createdAt };
    if (this.byApiKey(apiKey)) throw apiKeyTaken(apiKey);
    await this.save({ store, secrets: [stored] }, [apiKeyDocument(store)]);
    return { store, secretKey };
  }

  update(id: string, patch: { name?: string | undefined; settings?: SettingsPatch | undefined }): Promise<Store> {
    return this.change(id, ({ name, settings }) => ({
      name: patch.name ?? name,
      settings: mergeSettings(settings, patch.settings ?? {}),
    }));
  }

  setOrigins(id: string, origins: string[]): Promise<Store> {
    return this.change(id, () => ({ origins: this.checkOrigins(id, origins) }));
  }

  /** Adds a secret; the others end after the grace time, or when they would have ended anyway. */
  async rotateSecret(
    id: string,
    graceSeconds = DAY_SECONDS,
  ): Promise<{ secretKey: string; previousValidUntil: string }> {
    const rotated = await this.alone(async () => {
      const record = this.living(id);
      const now = this.clock.now();
      const until = now + graceSeconds * 1000;
      const { secretKey, stored } = this.hasher.create();
      const previous = record.secrets
        .map((secret) => ({ ...secret, validUntil: Math.min(secret.validUntil ?? until, until) }))
        .filter((secret) => isLive(secret, now));
      await this.save({ ...record, secrets: [stored, ...previous] });
      return { secretKey, previousValidUntil: new Date(until).toISOString() };
    });
    await this.cache.seenByAll();
    return rotated;
  }

  /** From now on nobody can call it. What it holds is erased by a job, which ends with `forget`. */
  async markDeleted(id: string): Promise<void> {
    await this.alone(async () => {
      const record = this.living(id);
      await this.save({ ...record, secrets: [], deletedAt: this.clock.now() });
    });
    await this.cache.seenByAll();
  }

  /** Takes a deleted store off the record; its apiKey may be given again. */
  forget(id: string): Promise<void> {
    return this.alone(async () => {
      const record = this.record(id);
      if (record?.deletedAt === undefined) return;
      const key = apiKeyKey(record.store.apiKey);
      // Where an earlier try ended half-way, another store may hold the apiKey by now.
      if ((await this.documents.get<{ id: string }>(key))?.body.id === id) await this.documents.remove(key);
      await this.documents.remove(recordKey(id));
      await this.cache.invalidate();
      this.drop(id);
    });
  }

  private async change(id: string, make: (store: Store) => Partial<Store>): Promise<Store> {
    const { store, before } = await this.alone(async () => {
      const record = this.living(id);
      const changed = { ...record.store, ...make(record.store) };
      const { untold = record.store } = record;
      const isNews = !isDeepStrictEqual(changed.settings, untold.settings);
      // Written with the change, so that a process which ends now leaves to others to tell of it.
      await this.save({ ...record, store: changed, ...(isNews ? { untold } : {}) });
      return { store: changed, before: untold };
    });
    await this.cache.seenByAll();
    await this.tell(store, before);
    await this.noteTold(store);
    return store;
  }

  /** Tells of the changes whose process ended before it could. */
  async tellUntold(): Promise<void> {
    for (const { store, before } of this.untold()) {
      await this.tell(store, before);
      await this.noteTold(store);
    }
  }

  /** Unless it was changed again meanwhile: whoever did that tells of both. Where it can't be noted, it is told once more. */
  private async noteTold({ id, settings }: Store): Promise<void> {
    const work = this.alone(async () => {
      const record = this.record(id);
      if (record?.untold === undefined || record.deletedAt !== undefined) return;
      const { untold: _untold, ...told } = record;
      if (isDeepStrictEqual(record.store.settings, settings)) await this.save(told);
    });
    await work.catch(() => undefined);
  }

  private living(id: string): StoreRecord {
    const record = this.record(id);
    if (!record || record.deletedAt !== undefined) throw new ApiError('not_found', 'There is no such store');
    return record;
  }

  private async save(record: StoreRecord, others: PutDocument[] = []): Promise<void> {
    const { id } = record.store;
    const expectedVersion = this.versions.get(id) ?? 0;
    const [version] = await this.cache.put([{ ...recordKey(id), body: record, expectedVersion }, ...others]);
    this.versions.set(id, version ?? expectedVersion + 1);
    this.set(record);
  }

  private async tell(store: Store, before: Store | null): Promise<void> {
    for (const listener of this.listeners) await listener(store, before);
  }

  private rehash(id: string, secretId: string, secretKey: string): Promise<void> {
    const work = this.alone(async () => {
      const record = this.living(id);
      const hash = this.hasher.hash(secretKey);
      if (!record.secrets.some((secret) => secret.id === secretId && secret.hash !== hash)) return;
      const secrets = record.secrets.map((secret) => (secret.id === secretId ? { ...secret, hash } : secret));
      await this.save({ ...record, secrets });
    });
    // The caller is authenticated in any case, and the next call tries again.
    return work.catch(() => undefined);
  }

  /** One change at a time: origins and keys are compared over all stores. */
  private alone<T>(work: () => Promise<T>): Promise<T> {
    return this.mutex.run(() => this.cache.retryOnConflict(work));
  }
}

/** Not where the caller was told what is wrong. */
const isUnanswered = (error: unknown): boolean => !(error instanceof ApiError) || error.code === 'unavailable';

function apiKeyTaken(apiKey: string): ApiError {
  return new ApiError('conflict', `The apiKey "${apiKey}" is taken`);
}
