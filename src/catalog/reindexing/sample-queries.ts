import { Injectable } from '@nestjs/common';
import type { Store } from '../../stores/store';

/** Queries of a store's shoppers, the most telling first. */
export type QuerySource = (store: Store, limit: number) => Promise<string[]>;

/** Real queries, which a new index is tried with. Whoever knows some adds them; who can't be asked is passed over. */
@Injectable()
export class SampleQueries {
  private readonly sources: QuerySource[] = [];

  /** Sources are asked in the order in which they were added. */
  add(source: QuerySource): void {
    this.sources.push(source);
  }

  async of(store: Store, limit: number): Promise<string[]> {
    const found = await Promise.all(this.sources.map((source) => source(store, limit).catch(() => [])));
    return [...new Set(found.flat())].slice(0, limit);
  }
}
