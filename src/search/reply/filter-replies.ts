import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EngineResult } from '../../engine/search-engine';
import { bytesOfText } from '../../shared/bytes-of-text';
import { digestOf } from '../../shared/digest';
import type { Store } from '../../stores/store';
import { FacetRegistry } from '../facets/facet-registry';
import type { FacetSelection } from '../facets/parse-filters';
import { shownFacets } from '../facets/shown-facets';
import {
  aroundFilter,
  facetKeys,
  filterList,
  hasShortLinks,
  linkWithout,
  mostValues,
  type Toggle,
  toggles,
} from './filter-list';
import { JsonPart } from './json-part';
import type { LinkContext } from './link-context';
import { gap, HEAD, OpenText } from './open-text';
import { quickFilters } from './quick-filters';
import type { FilterReply } from './reply-schema';
import { SharedTexts } from './shared-texts';

export interface FilterRequest {
  store: Store;
  result: Pick<EngineResult, 'facets' | 'facetsName' | 'total'>;
  selections: readonly FacetSelection[];
  context: LinkContext;
  /** Whether each says what a filter in words begins with. */
  named: boolean;
  /** Until when somebody waits for the reply, as `performance.now()`. */
  until: number;
}

/** Fields of a reply. */
export interface FilterParts {
  filters: JsonPart;
  quickFilters: JsonPart;
}

/** A reply's filters without what links repeat of the request: every shopper has links of their own. */
interface Kept {
  filters: OpenText;
  quickFilters: OpenText;
  /** Of the links that take filters back, which filters each does. */
  taken: readonly (readonly string[])[];
  bytes: number;
}

type Around = readonly [head: string, tail: string];

interface Listed {
  filters: FilterReply[];
  /** Nothing is missing for want of an id, which it may get later. */
  isWhole: boolean;
}

/** Every link repeats the filters asked for: where those are longer (characters), only what is selected is listed. */
const LONG_FILTERS = 16_384;
const MOST_BYTES = 4 * 2 ** 20;
const MOST_ENTRIES = 4000;
/** Replies of which it is remembered that they were asked for once. */
const MOST_ASKED = 4000;
/** Of an entry itself and its arrays, about. */
const ENTRY_BYTES = 1000;
/** What takes more is not kept: it would drive out what others ask for. */
const LARGEST_BYTES = MOST_BYTES / 16;

/** Gaps beside the first: what is behind a filter in the link that selects it, and from there on the links that take filters back. */
const [TAIL, FIRST_TAKEN] = [1, 2] as const;

export const noFilters: FilterParts = { filters: JsonPart.of([]), quickFilters: JsonPart.of([]) };

/**
 * `filters` and `quickFilters` of replies (contract 4.3). Who asks for the same gets the same but for what links repeat of the request: where
 * an engine answers with facets that it named twice before, the JSON between the links is what it was then.
 */
@Injectable()
export class FilterReplies {
  private readonly kept = new LRUCache<string, Kept>({ max: MOST_ENTRIES, dispose: (kept) => this.letGo(kept) });
  private readonly asked = new LRUCache<string, true>({ max: MOST_ASKED });
  private readonly texts = new SharedTexts();
  private keptBytes = 0;

  constructor(private readonly facets: FacetRegistry) {}

  /** Of memory that is kept, about. */
  get bytes(): number {
    return this.keptBytes + this.texts.bytes;
  }

  async of(request: FilterRequest): Promise<FilterParts> {
    const { context, result } = request;
    // Long links leave values out.
    if (result.facetsName === undefined || !hasShortLinks(context)) return this.made(request);
    const around = aroundFilter(context);
    const key = keyOf(request, around);
    const known = this.kept.get(key);
    if (known) return this.closed(known, context, around);
    if (!this.isAskedAgain(key)) return this.made(request);
    const { toggle, taken } = openLinks(around);
    const { filters, isWhole } = await this.list(request, { toggle, most: Infinity });
    const before = this.bytes;
    const kept = this.pack(key, { filters, quickFilters: quickFilters(filters, result.total), taken });
    const parts = this.closed(kept, context, around);
    if (isWhole && this.bytes - before <= LARGEST_BYTES) this.keep(key, kept);
    else this.letGo(kept);
    return parts;
  }

  /** To pack a reply takes as long as to make it, and many a query is asked once. */
  private isAskedAgain(key: string): boolean {
    if (this.asked.get(key)) return true;
    this.asked.set(key, true);
    return false;
  }

  /** Of whoever asks alone. */
  private async made(request: FilterRequest): Promise<FilterParts> {
    const { context, result } = request;
    const { filters } = await this.list(request, { toggle: toggles(context), most: null });
    const isLong = (context.texts.get('filter')?.length ?? 0) >= LONG_FILTERS;
    const listed = isLong ? filters.filter(({ values }) => [...values].some(({ selected }) => selected)) : filters;
    return { filters: JsonPart.of(listed), quickFilters: JsonPart.of(quickFilters(listed, result.total)) };
  }

  /** `most`: values of each filter; null: as many as there is room for. */
  private async list(
    { store, result, selections, context, named, until }: FilterRequest,
    { toggle, most }: { toggle: Toggle; most: number | null },
  ): Promise<Listed> {
    const { currency } = store.settings;
    const facets = shownFacets({ settings: store.settings, facets: result.facets, selections });
    const keys = facetKeys(facets, currency);
    const ids = await this.facets.idsKnown(store.id, keys, until);
    const room = most ?? mostValues(context, facets.length);
    const filters = filterList({ facets, ids, selections, currency, named, toggle, most: room }) as FilterReply[];
    return { filters, isWhole: keys.every((key) => ids.has(key)) };
  }

  private pack(
    key: string,
    { filters, quickFilters: quick, taken }: { filters: object; quickFilters: object; taken: Kept['taken'] },
  ): Kept {
    const kept = {
      filters: OpenText.pack(JSON.stringify(filters), this.texts),
      quickFilters: OpenText.pack(JSON.stringify(quick), this.texts),
      taken,
    };
    const ofTaken = taken.flat().reduce((sum, filter) => sum + bytesOfText(filter), 0);
    const bytes = ENTRY_BYTES + bytesOfText(key) + kept.filters.bytes + kept.quickFilters.bytes + ofTaken;
    this.keptBytes += bytes;
    return { ...kept, bytes };
  }

  private keep(key: string, kept: Kept): void {
    this.kept.set(key, kept);
    while (this.bytes > MOST_BYTES && this.kept.size > 0) this.kept.pop();
  }

  private letGo(kept: Kept): void {
    kept.filters.letGo(this.texts);
    kept.quickFilters.letGo(this.texts);
    this.keptBytes -= kept.bytes;
  }

  private closed({ taken, ...kept }: Kept, context: LinkContext, around: Around): FilterParts {
    const links = [...around, ...taken.map((filters) => linkWithout(context, filters))];
    const texts = links.map((link) => JSON.stringify(link).slice(1, -1));
    const part = (text: OpenText): JsonPart => JsonPart.whole(text.pieces(this.texts, texts));
    return { filters: part(kept.filters), quickFilters: part(kept.quickFilters) };
  }
}

/** Links of which what is before and behind a filter is open, and those that take filters back are. */
function openLinks([, tail]: Around): { toggle: Toggle; taken: string[][] } {
  const taken: string[][] = [];
  const end = tail === '' ? '' : gap(TAIL);
  const toggle: Toggle = (filter, named) =>
    named ? gap(FIRST_TAKEN + taken.push([...named]) - 1) : `${gap(HEAD)}${encodeURIComponent(filter)}${end}`;
  return { toggle, taken };
}

/** What a kept text depends on beside the links. */
function keyOf({ store, result, selections, named }: FilterRequest, [, tail]: Around): string {
  const { currency, language, facets } = store.settings;
  const { facetsName, total } = result;
  return digestOf(store.id, facetsName, total, named, currency, language, facets, selections, tail !== '');
}
