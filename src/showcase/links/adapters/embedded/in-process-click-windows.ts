import type { LRUCache } from 'lru-cache';
import {
  type AddressLimits,
  type Admission,
  ClickWindows,
  type CountedClick,
  countersOf,
  DAY,
  HOUR,
  MINUTE,
  REFUSED,
} from '../../click-windows';
import { growingCache } from '../../../../shared/growing-cache';

/**
 * In memory. Counters end with the time their window lasts, by no clock that can step: after a step back an hour, the same minutes come once
 * more, and begin with nothing. Holds the counters
 * used last, so that a flood costs no memory beyond `counters`.
 */
export class InProcessClickWindows extends ClickWindows {
  private readonly counts: LRUCache<string, number>;

  /** `elapsed`: milliseconds since some moment. */
  constructor(counters = 200_000, elapsed = (): number => performance.now()) {
    super();
    this.counts = growingCache(counters, {
      ttl: DAY,
      noUpdateTTL: true,
      ttlResolution: 0,
      perf: { now: elapsed },
    });
  }

  override async admit(click: CountedClick, limits: AddressLimits): Promise<Admission> {
    const counters = countersOf(click);
    const { minute, hour, campaign, day } = counters;
    const [user, users, share] = [`${hour} ${counters.user}`, `${hour} users`, `${hour} ${counters.share}`];
    if (this.of(minute) >= limits.perMinute) return REFUSED;
    const isNew = this.of(user) === 0;
    if (isNew && this.of(users) >= limits.usersPerHour) return REFUSED;
    if (this.of(share) + 1 > Math.max(limits.floor, limits.share * (this.of(campaign) + 1))) return REFUSED;
    if (isNew) this.add(users, HOUR);
    this.add(minute, MINUTE);
    for (const counter of [user, share, campaign]) this.add(counter, HOUR);
    return { admitted: true, rated: this.add(`${day} ${counters.click}`, DAY) <= limits.rated };
  }

  override async giveBack(click: CountedClick): Promise<void> {
    const { hour, share, campaign, day, click: clicked } = countersOf(click);
    for (const counter of [`${hour} ${share}`, campaign]) this.add(counter, HOUR, -1);
    this.add(`${day} ${clicked}`, DAY, -1);
  }

  override async takeView(view: CountedClick, most: number): Promise<boolean> {
    const { day, view: viewed } = countersOf(view);
    return this.add(`${day} ${viewed}`, DAY) <= most;
  }

  private of(counter: string): number {
    return this.counts.get(counter) ?? 0;
  }

  private add(counter: string, lasts: number, number = 1): number {
    const count = Math.max(0, this.of(counter) + number);
    this.counts.set(counter, count, { ttl: lasts });
    return count;
  }
}
