import type { ForgottenUser } from '../../behaviour/shoppers/users.service';
import type { Boosts } from '../../ranking/affinity';
import type { Mixed } from '../../ranking/experiments/interleaving';
import type { BoostTemplate } from '../../ranking/template/template';
import type { InExperiment } from '../../stores/experiments/served-templates';
import type { Personalization } from '../reply/reply-schema';

/** What page 1 of a search was ranked with. */
export interface PageRanking {
  template: BoostTemplate;
  boosts: Boosts | null;
  personalization: Personalization;
  /** Of the experiment that decided on the template; null: none. */
  variant: InExperiment | null;
  /** The time signals of quality were read at. */
  now: number;
  /** Page 1 is dealt from this ranking and that one, in an interleaved variant. */
  rival?: Pick<PageRanking, 'template' | 'boosts'>;
  /** What it was dealt to: the pages after it go on from there. */
  mixed?: Mixed;
}

/** Whose search it is and what for, whatever the page. */
export interface RankedSearch {
  store: string;
  userId: string | null;
  deviceId: string | null;
  /** What decides which products are found and in which order, as text. */
  query: string;
}

export const REMEMBERED_MS = 600_000;

/**
 * Remembers for 10 minutes what page 1 of a shopper's query was ranked with, so that the pages after it neither repeat
 * nor drop a product when the shopper does something in between (contract 4.2). A short cut: what is not remembered is
 * ranked anew.
 */
export abstract class RankingSessions {
  /** Nobody waits for it. */
  abstract remember(search: RankedSearch, ranking: PageRanking): void;
  /** Never throws. */
  abstract recall(search: RankedSearch): Promise<PageRanking | undefined>;
  /** Drops what this user's pages, and those of their devices, would still be ranked with. */
  abstract forget(user: ForgottenUser): Promise<void>;
}

/** Whether what is kept under a key is of a forgotten user: the key is JSON that begins with store, user and device. */
export function isOf({ storeId, userId, deviceIds }: ForgottenUser, key: string): boolean {
  const [store, user, device] = JSON.parse(key) as [string, string | null, string | null];
  return store === storeId && (user === userId || (device !== null && deviceIds.includes(device)));
}
