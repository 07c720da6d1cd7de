import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { type JobContext, JobQueue } from '../jobs/job-queue';
import type { Admin } from '../stores/access/admin-tokens';
import type { Store } from '../stores/store';
import { StoreErasure } from '../stores/store-erasure';
import { type NewStore, StoresService } from '../stores/stores.service';

/** Kind of the job that erases everything of a deleted store. */
const ERASE_STORE = 'store.erase';

/** More than a store ever has at a time: all its jobs are forgotten with it. */
const MOST_JOBS = 100_000;

type Erasure = JobContext<{ storeId: string }>;

/** A store as admin routes show it: everything but its secrets and its internal id. */
export type StoreView = Omit<Store, 'id'>;

export function viewStore({ id: _id, ...view }: Store): StoreView {
  return view;
}

@Injectable()
export class StoreAdmin implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly stores: StoresService,
    private readonly erasure: StoreErasure,
    private readonly jobs: JobQueue,
  ) {}

  onModuleInit(): void {
    this.jobs.process<Erasure['payload']>(ERASE_STORE, (context) => this.erase(context));
  }

  /** Resumes the erasures that ended with the process before. */
  async onApplicationBootstrap(): Promise<void> {
    for (const id of this.stores.deleted()) await this.enqueueErasure(id);
  }

  /** The stores this admin may see, by apiKey. */
  list(admin: Admin): { stores: StoreView[] } {
    const mine = this.stores.all().filter((store) => admin.store === undefined || store.id === admin.storeId);
    return { stores: mine.map(viewStore).sort((a, b) => (a.apiKey < b.apiKey ? -1 : 1)) };
  }

  async create(body: NewStore): Promise<StoreView & { secretKey: string }> {
    const { store, secretKey } = await this.stores.create(body);
    const { apiKey, ...rest } = viewStore(store);
    return { apiKey, secretKey, ...rest };
  }

  /** The store is refused from now on. The job erases what it holds. */
  async remove(store: Store): Promise<{ jobId: string }> {
    await this.stores.markDeleted(store.id);
    return { jobId: await this.enqueueErasure(store.id) };
  }

  private enqueueErasure(storeId: string): Promise<string> {
    return this.jobs.enqueue({ kind: ERASE_STORE, store: storeId, payload: { storeId }, key: ERASE_STORE });
  }

  private async erase({ job, payload }: Erasure): Promise<{ erased: Record<string, number> }> {
    for (const other of await this.jobs.find({ store: payload.storeId, limit: MOST_JOBS })) {
      if (other.id !== job.id) await this.jobs.control(other.id, 'forget');
    }
    return { erased: await this.erasure.erase(payload.storeId) };
  }
}
