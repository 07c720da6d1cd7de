import type { FeedAddress, Validators } from './feed-source';
import type { FeedSyntax } from './formats/feed-format';
import type { FeedMapping } from './items/feed-mapping';

/** How a feed is to be imported, as it was when that was asked for. */
export interface ImportWork {
  mode: 'full' | 'partial';
  force: boolean;
  dryRun: boolean;
  syntax: FeedSyntax;
  columns: Record<string, string>;
  mapping: FeedMapping | null;
}

/** Staged, in one file or in the pieces of an upload. */
export type FeedFiles = { file: string } | { files: string[] };

/** What a job of an import is to do. The feed: staged, at an address, or what a scheduled feed names by then. */
export interface ImportPayload extends ImportWork {
  source: FeedFiles | FeedAddress | { feed: string };
}

/** A staged feed; `validators`: of one that was fetched. */
export type StagedFeed = FeedFiles & { validators?: Validators };
