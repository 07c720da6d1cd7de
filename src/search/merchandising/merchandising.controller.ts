import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { Answers, Refuses } from '../../http/openapi/answers';
import { ApiError } from '../../shared/api-error';
import { AdminAccess, AdminStore } from '../../stores/access/admin-access';
import type { Store } from '../../stores/store';
import { FacetRegistry } from '../facets/facet-registry';
import { parseKnownFilters } from '../facets/parse-filters';
import { type Entries, Merchandising } from './merchandising.service';
import {
  type Hotsite,
  merchandisingBodies as bodies,
  type MerchandisingKind,
  type MerchandisingView,
  merchandisingViews as views,
} from './merchandising-schemas';

type Sent<K extends MerchandisingKind> = z.output<(typeof bodies)[K]>;

/** What a store's merchandisers decide about its searches (contract 8). A `PUT` replaces the whole list, and acts within a second, without a reindex. */
@ApiTags('admin: merchandising')
@ApiParam({ name: 'apiKey' })
@AdminAccess('relevance')
@Controller('admin/stores/:apiKey')
export class MerchandisingController {
  constructor(
    private readonly merchandising: Merchandising,
    private readonly facets: FacetRegistry,
  ) {}

  @Get('synonyms')
  @ApiOperation({ summary: 'Words that stand for each other in searches' })
  @Answers(200, views.synonyms)
  synonyms(@AdminStore() store: Store): MerchandisingView {
    return this.merchandising.view(store, 'synonyms');
  }

  @Put('synonyms')
  @ApiOperation({
    summary: 'Replaces the synonyms',
    description: '`{ terms }` stand for each other; `from` finds `to`',
  })
  @Answers(200, views.synonyms)
  @Refuses('invalid_body')
  putSynonyms(
    @AdminStore() store: Store,
    @Body({ schema: bodies.synonyms }) { synonyms }: Sent<'synonyms'>,
  ): Promise<MerchandisingView> {
    return this.put(store, 'synonyms', synonyms);
  }

  @Get('redirects')
  @ApiOperation({ summary: 'Queries that lead to a page' })
  @Answers(200, views.redirects)
  redirects(@AdminStore() store: Store): MerchandisingView {
    return this.merchandising.view(store, 'redirects');
  }

  @Put('redirects')
  @ApiOperation({
    summary: 'Replaces the redirects',
    description: 'A query that is one of `terms` is answered with `link`',
  })
  @Answers(200, views.redirects)
  @Refuses('invalid_body')
  putRedirects(
    @AdminStore() store: Store,
    @Body({ schema: bodies.redirects }) { redirects }: Sent<'redirects'>,
  ): Promise<MerchandisingView> {
    return this.put(store, 'redirects', redirects);
  }

  @Get('rules')
  @ApiOperation({ summary: 'Products that are pinned, hidden, boosted or buried' })
  @Answers(200, views.rules)
  rules(@AdminStore() store: Store): MerchandisingView {
    return this.merchandising.view(store, 'rules');
  }

  @Put('rules')
  @ApiOperation({
    summary: 'Replaces the rules',
    description: 'Each by query, category and hotsite, as far as it names them',
  })
  @Answers(200, views.rules)
  @Refuses('invalid_body')
  putRules(
    @AdminStore() store: Store,
    @Body({ schema: bodies.rules }) { rules }: Sent<'rules'>,
  ): Promise<MerchandisingView> {
    return this.put(store, 'rules', rules);
  }

  @Get('hotsites')
  @ApiOperation({ summary: 'Curated lists of products' })
  @Answers(200, views.hotsites)
  hotsites(@AdminStore() store: Store): MerchandisingView {
    return this.merchandising.view(store, 'hotsites');
  }

  @Put('hotsites')
  @ApiOperation({ summary: 'Replaces the hotsites', description: 'Each by ids of products, or else by a filter' })
  @Answers(200, views.hotsites)
  @Refuses('invalid_body')
  async putHotsites(
    @AdminStore() store: Store,
    @Body({ schema: bodies.hotsites }) { hotsites }: Sent<'hotsites'>,
  ): Promise<MerchandisingView> {
    await this.checkFilters(store, hotsites);
    return this.put(store, 'hotsites', hotsites);
  }

  @Get('banners')
  @ApiOperation({ summary: 'Banners that replies carry' })
  @Answers(200, views.banners)
  banners(@AdminStore() store: Store): MerchandisingView {
    return this.merchandising.view(store, 'banners');
  }

  @Put('banners')
  @ApiOperation({
    summary: 'Replaces the banners',
    description: 'Each by query, category and hotsite, as far as it names them',
  })
  @Answers(200, views.banners)
  @Refuses('invalid_body')
  putBanners(
    @AdminStore() store: Store,
    @Body({ schema: bodies.banners }) { banners }: Sent<'banners'>,
  ): Promise<MerchandisingView> {
    return this.put(store, 'banners', banners);
  }

  private async put<K extends MerchandisingKind>(
    store: Store,
    kind: K,
    entries: Entries[K],
  ): Promise<MerchandisingView> {
    await this.merchandising.put(store, kind, entries);
    return this.merchandising.view(store, kind);
  }

  /** Throws 400 with the path of every filter that names nothing of the store's. */
  private async checkFilters(store: Store, hotsites: readonly Hotsite[]): Promise<void> {
    const details = [];
    for (const [index, { filter = [] }] of hotsites.entries()) {
      for (const [at, one] of filter.entries()) {
        const problem = await this.problemOf(store, one);
        if (problem !== null) details.push({ path: `hotsites.${index}.filter.${at}`, message: problem });
      }
    }
    const [first] = details;
    if (first) throw new ApiError('invalid_body', `${first.path}: ${first.message}`, { details });
  }

  private async problemOf(store: Store, filter: string): Promise<string | null> {
    try {
      await parseKnownFilters(store.id, [filter], this.facets);
      return null;
    } catch (error) {
      if (error instanceof ApiError) return error.message;
      throw error;
    }
  }
}
