import { Injectable } from '@nestjs/common';
import { refusalOf } from '../../outbound/checked-hosts';
import { OutboundError } from '../../outbound/outbound-error';
import { OutboundRequests } from '../../outbound/outbound-requests';
import { ImportFiles } from '../../jobs/imports/import-files';
import { JobFailure } from '../../jobs/job-queue';
import { ApiError } from '../../shared/api-error';
import type { Store } from '../../stores/store';
import { FEED_LIMITS } from './limits';

/** Where a feed is fetched from, and what opens it. */
export interface FeedAddress {
  url: string;
  user?: string | undefined;
  password?: string | undefined;
}

/** What a server said of the feed it sent, by which it can tell later whether that is still the same. */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

/** Null: it is still what the validators are of. */
export type FetchedFeed = { file: string; validators: Validators } | null;

/** Refuses what can be told by the URL alone, when it is set; what a name leads to is checked with every request. Throws 400. */
export function checkAddress({ url }: FeedAddress, store: Store): void {
  const message = refusalOf(url, store.settings.feedHosts);
  if (message !== null) throw new ApiError('invalid_body', `url: ${message}`, { details: [{ path: 'url', message }] });
}

/** For everything, to the last byte. */
const LONGEST_MS = 30 * 60_000;

/** Fetches feeds from the servers of stores. */
@Injectable()
export class FeedSource {
  constructor(
    private readonly outbound: OutboundRequests,
    private readonly files: ImportFiles,
  ) {}

  /** Stages the feed durably. JobFailure: asking again would not help. */
  async fetch(store: Store, address: FeedAddress, known: Validators, signal: AbortSignal): Promise<FetchedFeed> {
    try {
      return await this.ask(store, address, known, signal);
    } catch (error) {
      const passes = !(error instanceof OutboundError) || ['unreachable', 'timeout'].includes(error.reason);
      throw passes ? error : new JobFailure(error.message);
    }
  }

  private async ask(store: Store, address: FeedAddress, known: Validators, signal: AbortSignal): Promise<FetchedFeed> {
    const answer = await this.outbound.fetch(address.url, {
      allowedHosts: store.settings.feedHosts,
      headers: { accept: '*/*', ...authorization(address), ...conditions(known) },
      maxBytes: FEED_LIMITS.body,
      timeoutMs: LONGEST_MS,
      signal,
    });
    if (answer.status === 304 || answer.status < 200 || answer.status >= 300) answer.body.destroy();
    if (answer.status === 304) return null;
    refuse(answer.status, address.url);
    const { file } = await this.files.stage(store.id, answer.body);
    const { etag, 'last-modified': lastModified } = answer.headers;
    return { file, validators: { ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) } };
  }
}

function authorization({ user, password }: FeedAddress): Record<string, string> {
  if (user === undefined && password === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64')}` };
}

const conditions = ({ etag, lastModified }: Validators): Record<string, string> => ({
  ...(etag ? { 'if-none-match': etag } : {}),
  ...(lastModified ? { 'if-modified-since': lastModified } : {}),
});

/** What a server has too much to do for passes; that it knows no such feed does not. */
function refuse(status: number, url: string): void {
  if (status >= 200 && status < 300) return;
  const message = `${new URL(url).host} answered ${status} to the request for the feed`;
  throw status >= 500 || status === 429 || status === 408 ? new Error(message) : new JobFailure(message);
}
