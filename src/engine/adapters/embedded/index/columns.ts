import { expectedTrend, numberNames, type SignalData, type StoredNumber } from '../../../../ranking/signal-numbers';
import { textFields } from '../../../../ranking/template/text-fields';
import type { FieldStats } from '../../../../ranking/text';
import { edgeBin, isInCents } from '../../../facet-ranges';
import { discountPercent, facets, type StoredKind, storedKinds } from '../../../facets';
import { priceEdges } from '../../../range-edges';
import { Growable, Lists } from './growable';
import { NameTable } from './name-table';
import { type DocumentReader, laterKinds, type ListedKind } from './packed';
import type { SnapshotReader, SnapshotWriter } from './snapshot-file';
import type { Vocabulary } from './vocabulary';

const FIELDS = textFields.length;
const NO_ROWS: readonly number[] = [];
const NO_ROW = 0xffffffff;
const SEVERAL = 0xfffffffe;
/** Above every bin. */
export const FINE_PRICE = 128;

/** The documents of a store by row. A row never changes; a product written again gets new rows and its old ones die. */
export class Columns {
  readonly alive = Growable.bytes();
  readonly available = Growable.bytes();
  readonly numbers = Object.fromEntries(numberNames.map((name) => [name, Growable.doubles()])) as Readonly<
    Record<StoredNumber, Growable<Float64Array>>
  >;
  private readonly numberColumns = numberNames.map((name) => ({ name, column: this.numbers[name] }));
  /** The edge of the price, and `FINE_PRICE` where it has fractions of a cent: follows from the price, so no snapshot holds it. */
  readonly priceBins = Growable.bytes();
  /** In percent, NaN where there is none: follows from the prices, too. */
  readonly discounts = Growable.doubles();
  /** Terms of channels. */
  readonly channel = Growable.ints();
  /** 0: no channel excluded. */
  readonly exclusion = Growable.ints();
  readonly exclusions: ReadonlySet<number>[] = [new Set()];
  private readonly exclusionIds = new Map<string, number>();
  /** Numbers of the vocabulary; of a facet with a single value 0 where there is none. */
  readonly values = Object.fromEntries(
    storedKinds.map((kind) => [kind, facets[kind].single ? Growable.ints() : new Lists()]),
  ) as Readonly<Record<StoredKind, Growable<Uint32Array> | Lists>>;
  /** Number of the product, below. */
  readonly product = Growable.ints();
  /** Six a row. */
  readonly lengths = Growable.bytes();
  readonly features = new Lists();
  readonly exact = new Lists();
  /** By product number: id, row, and popularity (NaN: none learned). */
  private readonly products = new NameTable();
  readonly productIds = this.products.names;
  /** The only row of a product, or `NO_ROW`, or `SEVERAL`: then they are in a list. An array a product would take eight times as much. */
  private readonly onlyRow = Growable.ints();
  private readonly severalRows = new Map<number, readonly number[]>();
  readonly trend = Growable.doubles();
  /** Everything that is numbers, in the order of a snapshot. */
  private readonly columns = [
    this.alive,
    this.available,
    ...Object.values(this.numbers),
    this.channel,
    this.exclusion,
    this.values.brand,
    this.product,
    this.lengths,
    this.trend,
    this.values.category,
    this.features,
    this.exact,
    ...laterKinds.map((kind) => this.values[kind]),
  ];
  private readonly signals = { available: false, trend: Number.NaN } as SignalData;
  /** True while no product has had more than one document: then no row has siblings. */
  rowsAreProducts = true;
  rows = 0;
  dead = 0;
  private readonly lengthSums = new Float64Array(FIELDS);
  private readonly lengthCounts = new Float64Array(FIELDS);

  productNumber(id: string): number | undefined {
    return this.products.number(id);
  }

  productOfHash(hash: number): number | undefined {
    return this.products.numberOfHash(hash);
  }

  productNumberOrNew(id: string): number {
    let number = this.products.number(id);
    if (number === undefined) {
      number = this.products.add(id);
      this.onlyRow.push(NO_ROW);
      this.trend.push(Number.NaN);
    }
    return number;
  }

  /** Living rows of a product, in the order they came. */
  rowsOf(product: number): readonly number[] {
    const row = this.onlyRow.data[product] ?? NO_ROW;
    if (row === SEVERAL) return this.severalRows.get(product) ?? NO_ROWS;
    return row === NO_ROW ? NO_ROWS : [row];
  }

  kill(product: number): void {
    for (const row of this.rowsOf(product)) {
      this.alive.data[row] = 0;
      this.dead++;
      this.countLengths(row, -1);
    }
    this.onlyRow.data[product] = NO_ROW;
    this.severalRows.delete(product);
  }

  append(product: number, document: DocumentReader, vocabulary: Vocabulary): number {
    const row = this.rows++;
    this.alive.push(1);
    this.available.push(document.available);
    for (let which = 0; which < this.numberColumns.length; which++) {
      this.numberColumns[which]!.column.push(document.number(which));
    }
    this.pushPrices(row);
    this.channel.push(document.channel);
    this.exclusion.push(document.list('excludedChannels', (...list) => this.exclusionNumber(...list)));
    for (const kind of storedKinds) this.appendValues(kind, document, vocabulary);
    this.product.push(product);
    for (let field = 0; field < FIELDS; field++) this.lengths.push(document.length(field));
    document.list('features', (...list) => this.features.append(...list));
    document.list('exact', (...list) => this.exact.append(...list));
    this.count(row);
    return row;
  }

  /** What the curves of the signals read of a row; good until the next call. */
  signalsOf(row: number): SignalData {
    const { signals } = this;
    for (const { name, column } of this.numberColumns) signals[name] = column.data[row] ?? Number.NaN;
    signals.available = this.available.data[row] === 1;
    const learned = this.trend.data[this.product.data[row] ?? 0] ?? Number.NaN;
    signals.trend = Number.isNaN(learned) ? expectedTrend(signals.sold) : learned;
    return signals;
  }

  /** Of the living documents, in the order of `textFields`. */
  fieldStats(): FieldStats[] {
    return textFields.map((_, field) => {
      const documents = this.lengthCounts[field] ?? 0;
      return { documents, averageLength: documents > 0 ? (this.lengthSums[field] ?? 0) / documents : 0 };
    });
  }

  trim(): void {
    for (const column of [...this.columns, this.priceBins, this.discounts]) column.trim();
  }

  save(writer: SnapshotWriter): void {
    for (const column of this.columns) column.save(writer);
    this.products.save(writer);
    writer.json([this.rows, this.exclusions.map((channels) => [...channels]), this.rowsAreProducts]);
  }

  /** Into empty columns. */
  load(reader: SnapshotReader): void {
    for (const column of this.columns) column.load(reader);
    this.products.load(reader);
    const [rows, [, ...exclusions], single] = reader.json() as [number, number[][], boolean];
    for (const channels of exclusions) this.newExclusion(channels);
    this.rows = rows;
    this.rowsAreProducts = single;
    for (let number = 0; number < this.productIds.length; number++) this.onlyRow.push(NO_ROW);
    for (let row = 0; row < rows; row++) {
      this.pushPrices(row);
      if (this.alive.data[row] === 0) this.dead++;
      else this.count(row);
    }
  }

  private appendValues(kind: StoredKind, document: DocumentReader, vocabulary: Vocabulary): void {
    const table = vocabulary.values[kind];
    const values = this.values[kind];
    if (values instanceof Lists) {
      values.append(document.list(kind as ListedKind, (...list) => table.openAll(...list)));
    } else {
      const term = document.single(kind);
      values.push(term === 0 ? 0 : table.open(term - 1));
    }
  }

  /** A living row becomes one of its product's. */
  private count(row: number): void {
    const product = this.product.data[row] ?? 0;
    const others = this.rowsOf(product);
    this.onlyRow.data[product] = others.length === 0 ? row : SEVERAL;
    if (others.length > 0) {
      this.rowsAreProducts = false;
      this.severalRows.set(product, [...others, row]);
    }
    this.countLengths(row, 1);
  }

  private countLengths(row: number, by: 1 | -1): void {
    for (let field = 0; field < FIELDS; field++) {
      const length = this.lengths.data[row * FIELDS + field] ?? 0;
      if (length === 0) continue;
      this.lengthCounts[field] = (this.lengthCounts[field] ?? 0) + by;
      this.lengthSums[field] = (this.lengthSums[field] ?? 0) + by * length;
    }
  }

  private pushPrices(row: number): void {
    const price = this.numbers.price.data[row] ?? 0;
    const oldPrice = this.numbers.oldPrice.data[row] ?? Number.NaN;
    this.priceBins.push(edgeBin(priceEdges, price) | (isInCents(price) ? 0 : FINE_PRICE));
    this.discounts.push(discountPercent({ price, oldPrice }) ?? Number.NaN);
  }

  private exclusionNumber(ints: Uint32Array, start: number, end: number): number {
    if (start === end) return 0;
    const channels = ints.subarray(start, end);
    return this.exclusionIds.get(channels.join(',')) ?? this.newExclusion(channels);
  }

  private newExclusion(channels: ArrayLike<number> & Iterable<number>): number {
    const number = this.exclusions.push(new Set(channels)) - 1;
    this.exclusionIds.set(Array.from(channels).join(','), number);
    return number;
  }
}
