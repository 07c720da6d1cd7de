import { JobQueue } from '../../../src/jobs/job-queue';
import type { Mode } from '../../support/modes';
import type { Json, StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

export interface Shop {
  whole: WholeApp;
  store: StoreClient;
  /** Resolves when no event is left to aggregate. */
  aggregated(): Promise<void>;
  close(): Promise<void>;
}

/** A product of one of four brands, in one of two categories. */
export function shoe(number: number): Json {
  return {
    id: `p${number}`,
    name: `Tênis modelo ${number}`,
    url: `https://shop.example/p${number}`,
    price: 100 + number,
    images: { default: `https://shop.example/p${number}.jpg` },
    categories: [`Moda > ${number % 2 === 0 ? 'Corrida' : 'Passeio'}`],
    status: 'available',
    brand: `Marca ${number % 4}`,
  };
}

/** The whole service with one store of 40 shoes. */
export async function startShop(apiKey: string, mode: Mode): Promise<Shop> {
  const whole = await startWholeApp(mode);
  const store = await whole.store(apiKey);
  await store.putMany(Array.from({ length: 40 }, (_, number) => shoe(number)));
  const aggregated = async (): Promise<void> => {
    whole.clock.advance(11_000);
    const jobs = whole.app.get(JobQueue);
    const id = await jobs.enqueue({ kind: 'profiles.fold', store: '*', key: 'fold', payload: null });
    for (;;) {
      const [job] = await jobs.find({ id });
      if (job?.state === 'completed') return;
      if (job?.state === 'failed') throw new Error(job.error);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return { whole, store, aggregated, close: () => whole.close() };
}
