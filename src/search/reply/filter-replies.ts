import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import type { EngineResult } from '../../engine/search-engine';
import { bytesOfText } from '../../shared/bytes-of-text';
import type { Store } from '../../stores/store';
import { FacetRegistry } from '../facets/facet-registry';
import type { FacetSelection } from '../facets/parse-filters';
import { shownFacets } from '../facets/shown-facets';
import { facetKeys, filterList, hasShortLinks } from './filter-list';
import { JsonPart } from './json-part';
import type { LinkContext } from './link-context';
import { linksWith } from './links';
import { quickFilters } from './quick-filters';
import type { FilterReply } from './reply-schema';

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

/** A text without the beginnings of its links: every shopper has links of their own. */
interface OpenText {
  /** With a sign for each. */
  text: string;
  /** What is before, between and behind them. */
  pieces: readonly string[];
}

interface FilterTexts {
  filters: OpenText;
  quickFilters: OpenText;
}

/** Every link repeats the filters asked for: where those are longer (characters), only what is selected is listed. */
const LONG_FILTERS = 16_384;
const MOST_BYTES = 4 * 2 ** 20;
const ENTRY_BYTES = 500;
const PIECE_BYTES = 40;

/** Stands for the beginning of a link. JSON has no such character: in its texts it is escaped. */
const SIGN = '\u0001';
/** Of links that begin with what nothing of a store has. */
const OPEN: LinkContext = { path: randomUUID(), parameters: {}, texts: new Map() };
const OPEN_LINK = linksWith(OPEN, 'filter', [])('');

export const noFilters: FilterParts = { filters: JsonPart.of([]), quickFilters: JsonPart.of([]) };

/** A piece is a part of its text, and holds no characters of its own. */
const bytesOfOpen = ({ text, pieces }: OpenText): number => bytesOfText(text) + PIECE_BYTES * pieces.length;
const bytesOf = ({ filters, quickFilters: quick }: FilterTexts, key: string): number =>
  ENTRY_BYTES + bytesOfOpen(filters) + bytesOfOpen(quick) + key.length;

/**
 * `filters` and `quickFilters` of replies (contract 4.3). Who asks for the same gets the same but for what links repeat of the request: where
 * an engine answers with facets that it named before, the JSON between the links is what it was then.
 */
@Injectable()
export class FilterReplies {
  private readonly kept = new LRUCache<string, FilterTexts>({ maxSize: MOST_BYTES, sizeCalculation: bytesOf });

  constructor(private readonly facets: FacetRegistry) {}

  async of(request: FilterRequest): Promise<FilterParts> {
    // What is selected is said of its value, and long links leave values out.
    if (!isPlain(request)) {
      const { filters } = await this.list(request);
      return { filters: JsonPart.of(filters), quickFilters: JsonPart.of(quickFilters(filters, request.result.total)) };
    }
    const texts = await this.texts(request);
    const link = JSON.stringify(linksWith(request.context, 'filter', [])('')).slice(1, -1);
    return { filters: withLinks(texts.filters, link), quickFilters: withLinks(texts.quickFilters, link) };
  }

  private async texts(request: FilterRequest): Promise<FilterTexts> {
    const { store, named, result } = request;
    const { currency, language, facets: settings } = store.settings;
    const key = JSON.stringify([store.id, result.facetsName, result.total, named, currency, language, settings]);
    const known = result.facetsName === undefined ? undefined : this.kept.get(key);
    if (known) return known;
    const { filters, isWhole } = await this.list({ ...request, context: OPEN });
    const texts = { filters: openText(filters), quickFilters: openText(quickFilters(filters, result.total)) };
    if (isWhole && result.facetsName !== undefined) this.kept.set(key, texts);
    return texts;
  }

  /** `isWhole`: nothing is missing for want of an id, which it may get later. */
  private async list({
    store,
    result,
    selections,
    context,
    named,
    until,
  }: FilterRequest): Promise<{ filters: FilterReply[]; isWhole: boolean }> {
    const { currency } = store.settings;
    const facets = shownFacets({ settings: store.settings, facets: result.facets, selections });
    const keys = facetKeys(facets, currency);
    const ids = await this.facets.idsKnown(store.id, keys, until);
    const filters = filterList({ facets, ids, selections, currency, context, named }) as FilterReply[];
    const isWhole = keys.every((key) => ids.has(key));
    if ((context.texts.get('filter')?.length ?? 0) < LONG_FILTERS) return { filters, isWhole };
    const selected = filters.filter(({ values }) => [...values].some((value) => value.selected === true));
    return { filters: selected, isWhole };
  }
}

function openText(made: object): OpenText {
  const text = JSON.stringify(made).replaceAll(OPEN_LINK, SIGN);
  return { text, pieces: text.split(SIGN) };
}

/** `link`: what the links of a reply begin with, as it is in JSON. */
function withLinks({ text, pieces }: OpenText, link: string): JsonPart {
  return new JsonPart([pieces.join(link)], `${link}\n${text}`);
}

const isPlain = ({ selections, context }: FilterRequest): boolean =>
  selections.length === 0 && !context.texts.has('filter') && hasShortLinks(context);
