import { Injectable } from '@nestjs/common';
import { JobFailure } from '../../jobs/job-queue';
import type { Store } from '../../stores/store';
import { FeedStore } from '../feeds/feed-store';
import { type FeedAddress, FeedSource, type Validators } from './feed-source';
import type { ImportPayload, StagedFeed } from './import-payload';

/** Feeds that are somewhere else, and what is known of them from the last time. */
@Injectable()
export class RemoteFeeds {
  constructor(
    private readonly source: FeedSource,
    private readonly feeds: FeedStore,
  ) {}

  /** Null: nothing has changed since the last import. */
  async staged(store: Store, payload: ImportPayload, signal: AbortSignal): Promise<StagedFeed | null> {
    const { source } = payload;
    if ('file' in source || 'files' in source) return source;
    if ('url' in source) return this.source.fetch(store, source, {}, signal);
    const feed = await this.feeds.find(store, source.feed);
    if (!feed) throw new JobFailure(`There is no feed "${source.feed}" any more`);
    return this.source.fetch(store, addressOf(feed), await this.feeds.validators(store, source.feed, payload), signal);
  }

  async remember(store: Store, payload: ImportPayload, validators: Validators | undefined): Promise<void> {
    if ('feed' in payload.source && validators) {
      await this.feeds.remember(store, payload.source.feed, { payload, validators });
    }
  }
}

const addressOf = ({ url, user, password }: FeedAddress): FeedAddress => ({ url, user, password });
