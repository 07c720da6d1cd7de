import { editDistance, forgivenEdits } from '../../../analysis/edit-distance';
import { isCorrectable } from '../../../near-words';
import { NameTable } from './name-table';
import type { SnapshotReader, SnapshotWriter } from './snapshot-file';

export interface CategoryEntry {
  key: string;
  id: string;
  label: string;
  parent: string | null;
}

export interface BrandEntry {
  key: string;
  label: string;
}

/** A store's terms by number, and what their first letters say of them. */
export class Vocabulary {
  private readonly table = new NameTable();
  readonly terms = this.table.names;
  private readonly wordsByLetter = new Map<string, number[]>();
  /** Number 0 is nobody's. */
  readonly brands: BrandEntry[] = [{ key: '', label: '' }];
  private readonly brandKeys = new Map<string, number>();
  readonly categories: CategoryEntry[] = [];
  private readonly categoryKeys = new Map<string, number>();
  private readonly openedBrands = new Map<number, BrandEntry>();
  private readonly openedCategories = new Map<number, CategoryEntry>();

  append(terms: readonly string[]): void {
    for (const term of terms) this.list(term, this.table.add(term));
  }

  save(writer: SnapshotWriter): void {
    this.table.save(writer);
    writer.json([this.brands, this.categories]);
  }

  /** Into an empty vocabulary. */
  load(reader: SnapshotReader): void {
    this.table.load(reader);
    this.terms.forEach((term, id) => this.list(term, id));
    const [[, ...brands], categories] = reader.json() as [BrandEntry[], CategoryEntry[]];
    for (const entry of brands) this.brandKeys.set(entry.key, this.brands.push(entry) - 1);
    for (const entry of categories) this.categoryKeys.set(entry.key, this.categories.push(entry) - 1);
  }

  id(term: string): number | undefined {
    return this.table.number(term);
  }

  idOfHash(hash: number): number | undefined {
    return this.table.numberOfHash(hash);
  }

  brandOf(key: string): number | undefined {
    return this.brandKeys.get(key);
  }

  categoryOf(key: string): number | undefined {
    return this.categoryKeys.get(key);
  }

  /** A brand term -> the brand's number; the label of the latest document counts. */
  openBrand(term: number): number {
    let entry = this.openedBrands.get(term);
    if (!entry) {
      const [key = '', label = ''] = this.json(term) as string[];
      entry = { key, label };
      this.openedBrands.set(term, entry);
    }
    const number = this.brandKeys.get(entry.key) ?? this.brands.length;
    if (this.brands[number] === entry) return number;
    this.brandKeys.set(entry.key, number);
    this.brands[number] = entry;
    return number;
  }

  openCategories(terms: Uint32Array, start: number, end: number): number[] {
    const numbers: number[] = [];
    for (let at = start; at < end; at++) numbers.push(this.openCategory(terms[at] ?? 0));
    return numbers;
  }

  private openCategory(term: number): number {
    let entry = this.openedCategories.get(term);
    if (!entry) {
      const [key, id, label, parent] = this.json(term) as [string, string, string, string | null];
      entry = { key, id, label, parent };
      this.openedCategories.set(term, entry);
    }
    const number = this.categoryKeys.get(entry.key) ?? this.categories.length;
    if (this.categories[number] === entry) return number;
    this.categoryKeys.set(entry.key, number);
    this.categories[number] = entry;
    return number;
  }

  /** Words with the same first letter within the forgiven distance. */
  near(word: string): { id: number; word: string; distance: number }[] {
    if (!isCorrectable(word)) return [];
    const most = forgivenEdits(word);
    const found: { id: number; word: string; distance: number }[] = [];
    for (const id of this.wordsByLetter.get(word.charAt(0)) ?? []) {
      const other = this.terms[id] ?? '';
      if (Math.abs(other.length - 1 - word.length) > most) continue;
      const candidate = other.slice(1);
      const distance = editDistance(word, candidate, most);
      if (distance <= most) found.push({ id, word: candidate, distance });
    }
    return found;
  }

  private json(term: number): unknown {
    return JSON.parse((this.terms[term] ?? '').slice(1));
  }

  private list(term: string, id: number): void {
    if (!term.startsWith('w')) return;
    const word = term.slice(1);
    if (!isCorrectable(word)) return;
    const letter = word.charAt(0);
    const words = this.wordsByLetter.get(letter);
    if (words) words.push(id);
    else this.wordsByLetter.set(letter, [id]);
  }
}
