import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { type JobContext, JobQueue } from '../jobs/job-queue';
import type { Admin } from '../stores/access/admin-tokens';
import type { Store } from '../stores/store';
import { StoreErasure } from '../stores/store-erasure';
import { type NewStore, StoresService } from '../stores/stores.service';

/** Kind of the job that erases everything of a deleted store. */
const ERASE_STORE = 'store.erase';

/** Kind of the job that takes up what a process left behind which ended in the middle of a change of a store. */
const RESUME = 'stores.resume';
const RESUME_EVERY_MS = 60_000;

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
    this.jobs.process(RESUME, async () => {
      await this.resumeErasures();
      await this.stores.tellUntold();
    });
    this.jobs.every(RESUME, RESUME_EVERY_MS, () => this.stores.isUnfinished());
  }

  /** Where no other process runs, nobody else did. */
  async onApplicationBootstrap(): Promise<void> {
    await this.resumeErasures();
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
  async remove(store: Store, askedBy: string): Promise<{ jobId: string }> {
    await this.stores.markDeleted(store.id);
    return { jobId: await this.enqueueErasure(store.id, askedBy) };
  }

  /** Makes sure that each deleted store has a job which erases it, also where the last one failed. */
  private async resumeErasures(): Promise<void> {
    for (const id of this.stores.deleted()) {
      const [last] = await this.jobs.find({ kind: ERASE_STORE, store: id, limit: 1 });
      if (last?.state === 'waiting' || last?.state === 'active') continue;
      if (last?.state === 'failed' || last?.state === 'cancelled') await this.jobs.control(last.id, 'retry');
      else await this.enqueueErasure(id);
    }
  }

  private enqueueErasure(storeId: string, askedBy?: string): Promise<string> {
    return this.jobs.enqueue({ kind: ERASE_STORE, store: storeId, payload: { storeId }, key: ERASE_STORE, askedBy });
  }

  private async erase({ job, payload, signal }: Erasure): Promise<{ erased: Record<string, number> }> {
    const others = async (): Promise<void> => {
      for (const { id } of await this.jobs.find({ store: payload.storeId, limit: MOST_JOBS })) {
        if (id !== job.id) await this.jobs.control(id, 'forget');
      }
    };
    await others();
    const erased = await this.erasure.erase(payload.storeId, signal);
    // Those that requests asked for which were let in before.
    await others();
    return { erased };
  }
}
