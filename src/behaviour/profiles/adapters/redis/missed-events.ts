import { randomUUID } from 'node:crypto';
import { Coalesced } from '../../../../shared/async/coalesced';
import { Periodic } from '../../../../shared/async/periodic';
import type { Clock } from '../../../../shared/clock';
import { type RedisConnection, RedisScript } from '../../../../storage/redis/redis-connection';
import { eventPages } from '../../../events/event-log';
import { deviceKey, type ShopperKey } from '../../../shoppers/shopper';
import type { ProfiledLog } from './profiled-log';
import type { RedisProfiles } from './redis-profiles';

const LOOK_EVERY_MS = 5000;
/** A process that has not said for this long how far it is counts as dead. */
const DEAD_MS = 60_000;
const SLACK_MS = 10_000;
const SCAN_ALONE_MS = 60_000;
const EXPIRY_S = 30 * 86_400;

/** time, process. Deletes first, so that a full Redis does it, too: there is one for each process. */
const MARK = new RedisScript(`
redis.call('ZREM', KEYS[1], ARGV[2])
return redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
`);

/** Up to when something is complete, by its name. */
interface Mark {
  name: string;
  /** Epoch milliseconds. */
  time: number;
}

/**
 * Finds events that are in the log and perhaps not in their shoppers' recent events: Redis was down when they were written, lost what it
 * was told, or the process died in between. The log is scanned from where such a gap began. Every shopper named there is read from the
 * log again.
 *
 * Every process keeps in Redis the time up to which its writes are complete. When it dies, another process finds the gap by that. A Redis
 * that is full takes this and nothing else: the gap is closed when it is full no more.
 */
export class MissedEvents {
  private readonly process = randomUUID();
  private readonly writesUnderWay = new Map<symbol, number>();
  /** When the gap this process knows of began; Infinity: there is none. */
  private since = Infinity;
  private server: string | null = null;
  private wellAt: number;
  private readonly looks = new Coalesced(() => this.lookOnce());
  private readonly periodic: Periodic;

  /** `stores`: whose logs are scanned. */
  constructor(
    private readonly redis: RedisConnection,
    private readonly profiles: RedisProfiles,
    private readonly log: ProfiledLog,
    private readonly stores: { all(): readonly { id: string }[] },
    private readonly clock: Clock,
  ) {
    this.wellAt = clock.now();
    this.periodic = new Periodic(LOOK_EVERY_MS, () => this.look());
  }

  /** Writes to the log, then notes the change in Redis. A write that failed may be in the log all the same. */
  async watch<T>(write: () => Promise<T>, note: (written: T) => Promise<void>): Promise<T> {
    const begun = this.clock.now();
    const token = Symbol('write');
    this.writesUnderWay.set(token, begun);
    try {
      const written = await write();
      await note(written).catch(() => this.addGap(begun));
      return written;
    } catch (error) {
      this.addGap(begun);
      throw error;
    } finally {
      this.writesUnderWay.delete(token);
    }
  }

  start(): void {
    this.periodic.start();
    this.redis.onChange((up) => void (up && this.look()));
    this.redis.writes.onChange((refusal) => void (refusal === null && this.look()));
    void this.look();
  }

  async stop(): Promise<void> {
    await this.periodic.stop();
    await this.look();
    if (this.since === Infinity) {
      await this.redis.run((client) => client.zrem(this.key('intake'), this.process)).catch(() => undefined);
    }
  }

  /** Never throws. */
  async look(): Promise<void> {
    await this.looks.run().catch(() => undefined);
  }

  private addGap(time: number): void {
    this.since = Math.min(this.since, time);
  }

  private async lookOnce(): Promise<void> {
    await this.noticeRestart();
    const now = this.clock.now();
    const { since } = this;
    const well = Math.min(now, since, ...this.writesUnderWay.values());
    await this.redis.run((client) => MARK.run(client, [this.key('intake')], [well, this.process]));
    this.wellAt = well;
    if (since < Infinity) {
      await this.leaveGap(since);
      if (this.since === since) this.since = Infinity;
    }
    await this.noticeDead(now);
    await this.closeGaps();
    await this.redis.run((client) => client.expire(this.key('intake'), EXPIRY_S));
  }

  /** A Redis that was started again may have lost the last it was told. */
  private async noticeRestart(): Promise<void> {
    const info = await this.redis.run((client) => client.info('server'));
    const server = /run_id:(\w+)/.exec(info)?.[1] ?? '';
    if (this.server !== null && this.server !== server) this.addGap(this.wellAt - SLACK_MS);
    this.server = server;
  }

  private async noticeDead(now: number): Promise<void> {
    // Whoever lives says so every few seconds by the clock as it is now: what lies ahead was said before that stepped back.
    const silent = [...(await this.upTo('intake', now - DEAD_MS)), ...(await this.from('intake', now + DEAD_MS))];
    for (const { name, time } of silent) {
      if (name === this.process) continue;
      await this.leaveGap(time);
      await this.redis.run((client) => client.zrem(this.key('intake'), name));
    }
  }

  /** The oldest first. */
  private upTo(key: 'intake' | 'gaps', latest: number): Promise<Mark[]> {
    return this.between(key, '-inf', latest === Infinity ? '+inf' : latest);
  }

  private from(key: 'intake', earliest: number): Promise<Mark[]> {
    return this.between(key, earliest, '+inf');
  }

  private async between(key: 'intake' | 'gaps', least: number | '-inf', most: number | '+inf'): Promise<Mark[]> {
    const answer = await this.redis.run((client) => client.zrangebyscore(this.key(key), least, most, 'WITHSCORES'));
    // Pairs or one list of both, as this Redis speaks.
    const flat: readonly unknown[] = answer.flat();
    return flat.flatMap((name, index) =>
      index % 2 === 0 ? [{ name: String(name), time: Number(flat[index + 1]) }] : [],
    );
  }

  private async leaveGap(since: number): Promise<void> {
    const key = this.key('gaps');
    await this.redis.run((client) => client.multi().zadd(key, since, randomUUID()).expire(key, EXPIRY_S).exec());
  }

  private async closeGaps(): Promise<void> {
    const gaps = await this.upTo('gaps', Infinity);
    const [oldest] = gaps;
    if (!oldest || !(await this.takeTurn())) return;
    try {
      await this.scan(oldest.time - SLACK_MS);
      await this.redis.run((client) => client.zrem(this.key('gaps'), ...gaps.map(({ name }) => name)));
    } finally {
      await this.redis.run((client) => client.del(this.key('gaps-scan')));
    }
  }

  private async takeTurn(): Promise<boolean> {
    const set = this.redis.run((client) => client.set(this.key('gaps-scan'), this.process, 'PX', SCAN_ALONE_MS, 'NX'));
    return (await set) === 'OK';
  }

  private async scan(since: number): Promise<void> {
    for (const { id: store } of this.stores.all()) {
      const seen = new Set<ShopperKey>();
      for await (const events of eventPages(this.log, { store, after: this.log.seqAt(since) })) {
        // The device's own may have been claimed by the event.
        const named = events.flatMap(({ shopper, deviceId }) =>
          [shopper ?? [], deviceId ? deviceKey(deviceId) : []].flat(),
        );
        const news = [...new Set(named)].filter((shopper) => !seen.has(shopper));
        await Promise.all(news.map((shopper) => this.profiles.readLogAgain({ store, shopper })));
        for (const shopper of news) seen.add(shopper);
        await this.redis.run((client) => client.pexpire(this.key('gaps-scan'), SCAN_ALONE_MS));
      }
    }
  }

  private key(name: string): string {
    return this.redis.key(name);
  }
}
