import type { DocumentKey, Documents } from '../../documents/documents';

/** Prices of a day: where they are kept. Three slots take turns: those of today, of the day before, and what is being written. */
export interface PriceSnapshot {
  slot: string;
  chunks: number;
}

const SLOTS = ['a', 'b', 'c'];
const PER_CHUNK = 1000;

interface Chunk {
  ids: string[];
  prices: number[];
}

const chunkKey = (store: string, slot: string, chunk: number): DocumentKey => ({
  store,
  kind: 'catalog-health-prices',
  id: `${slot}-${String(chunk).padStart(6, '0')}`,
});

/** A slot that none of these is in. */
export function freeSlot(used: readonly (PriceSnapshot | undefined)[]): string {
  return SLOTS.find((slot) => used.every((snapshot) => snapshot?.slot !== slot)) ?? 'a';
}

/** Writes prices in the order of ids, a chunk in memory at a time. */
export class PriceWriter {
  private chunk: Chunk = { ids: [], prices: [] };
  private chunks = 0;

  constructor(
    private readonly documents: Documents,
    private readonly store: string,
    private readonly slot: string,
  ) {}

  async add(id: string, price: number): Promise<void> {
    this.chunk.ids.push(id);
    this.chunk.prices.push(price);
    if (this.chunk.ids.length >= PER_CHUNK) await this.flush();
  }

  async end(): Promise<PriceSnapshot> {
    if (this.chunk.ids.length > 0) await this.flush();
    // What an earlier snapshot in this slot had more of.
    for (let more = this.chunks; await this.documents.remove(chunkKey(this.store, this.slot, more)); more += 1);
    return { slot: this.slot, chunks: this.chunks };
  }

  private async flush(): Promise<void> {
    await this.documents.put([{ ...chunkKey(this.store, this.slot, this.chunks), body: this.chunk }]);
    this.chunks += 1;
    this.chunk = { ids: [], prices: [] };
  }
}

/** Reads prices in the order of ids: each asked for is after the one before. */
export class PriceReader {
  private prices = new Map<string, number>();
  private last: Buffer | null = null;
  private next = 0;

  constructor(
    private readonly documents: Documents,
    private readonly store: string,
    private readonly snapshot: PriceSnapshot | undefined,
  ) {}

  async of(id: string): Promise<number | undefined> {
    // Stores scan in the order of bytes, which is not that of JavaScript.
    const bytes = Buffer.from(id);
    while (this.snapshot && this.next < this.snapshot.chunks && (!this.last || bytes.compare(this.last) > 0)) {
      await this.load(this.snapshot.slot);
    }
    return this.prices.get(id);
  }

  private async load(slot: string): Promise<void> {
    const chunk = await this.documents.get<Chunk>(chunkKey(this.store, slot, this.next));
    this.next += 1;
    const { ids, prices } = chunk?.body ?? { ids: [], prices: [] };
    this.prices = new Map(ids.map((id, index) => [id, prices[index] ?? 0]));
    const last = ids.at(-1);
    this.last = last === undefined ? null : Buffer.from(last);
  }
}
