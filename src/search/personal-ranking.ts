import { Injectable } from '@nestjs/common';
import { ProfilesService } from '../behaviour/profiles/profiles.service';
import { type ForgottenUser, UsersService } from '../behaviour/users/users.service';
import { Clock } from '../clock';
import type { Store } from '../stores/store';
import type { SearchParameters } from './parameters/search-parameters';
import { buildBoosts } from './ranking/affinity';
import { defaultTemplate } from './ranking/template';
import { type PageRanking, type Personalization, RankingSessions } from './ranking-sessions';

/** What a search is ranked with for the shopper who asks: a fresh vector on page 1, the same one on the pages after it. */
@Injectable()
export class PersonalRanking {
  private readonly sessions: RankingSessions;

  constructor(
    private readonly profiles: ProfilesService,
    users: UsersService,
    private readonly clock: Clock,
  ) {
    this.sessions = new RankingSessions(() => clock.now());
    users.onForgotten((user) => this.sessions.forget((key) => isOf(user, key)));
  }

  async of(store: Store, parameters: SearchParameters): Promise<PageRanking> {
    const key = sessionKey(store, parameters);
    const kept = parameters.page > 1 ? this.sessions.recall(key) : undefined;
    if (kept) return kept;
    const ranking = await this.fresh(store, parameters);
    if (parameters.page === 1) this.sessions.remember(key, ranking);
    return ranking;
  }

  private async fresh(store: Store, parameters: SearchParameters): Promise<PageRanking> {
    const now = this.clock.now();
    const template = defaultTemplate;
    const neutral = (reason: string): PageRanking => ({
      template,
      boosts: null,
      personalization: { applied: false, profile: 'none', reason, template: template.name },
      now,
    });
    if (parameters.personalize === false) return neutral('personalize_false');
    if (template.strength === 0) return neutral('strength_0');
    const profile = await this.profiles.read(
      store,
      { userId: parameters.userId, deviceId: parameters.deviceId },
      template,
    );
    if (profile.kind === 'none') return neutral(profile.reason);
    const boosts = buildBoosts({ vectors: profile.vectors, template, stats: profile.stats, now });
    if (boosts.adds.size === 0) return neutral('no_profile');
    const personalization: Personalization = { applied: true, profile: profile.kind, template: template.name };
    return { template, boosts, personalization, now };
  }
}

/** The same shopper's same query, whatever the page. */
function sessionKey(store: Store, { page: _page, userId, deviceId, ...rest }: SearchParameters): string {
  return JSON.stringify([store.id, userId ?? null, deviceId ?? null, rest]);
}

function isOf({ storeId, userId, deviceIds }: ForgottenUser, key: string): boolean {
  const [store, user, device] = JSON.parse(key) as [string, string | null, string | null, unknown];
  return store === storeId && (user === userId || (device !== null && deviceIds.includes(device)));
}
