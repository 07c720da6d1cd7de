import { createHash, randomUUID } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ForgottenUser } from '../../../../behaviour/shoppers/users.service';
import type { Clock } from '../../../../shared/clock';
import type { RedisConnection } from '../../../../storage/redis/redis-connection';
import type { Boosts, PriceTaste } from '../../../../ranking/affinity';
import type { Mixed } from '../../../../ranking/experiments/interleaving';
import { PackedBoosts } from '../../../../ranking/packed-boosts';
import type { BoostTemplate } from '../../../../ranking/template/template';
import type { InExperiment } from '../../../../stores/experiments/served-templates';
import type { Personalization } from '../../../reply/reply-schema';
import { type PageRanking, type RankedSearch, RankingSessions, REMEMBERED_MS } from '../../ranking-sessions';

/** What is stored of one search. What several searches share is stored once, under a key of its own. */
interface Session {
  at: number;
  now: number;
  personalization: Personalization;
  /** Absent: in none, or written by a replica of an older version. */
  variant?: InExperiment;
  /** Absent: nothing was mixed. */
  mixed?: Mixed;
  /** Keys. */
  template: string;
  boosts: string | null;
}

/** Of what several searches share, after the last of them: a minute more than pages go on from it. */
const PART_MS = REMEMBERED_MS + 60_000;

/** Something that several searches share. */
interface SharedPart {
  what: object;
  name: string;
  /** Null: Redis should have it. */
  blob: Buffer | null;
}

/** Shared by all replicas: the next page may be asked of another one. Ids are in no key: only their hashes are. */
export class RedisRankingSessions extends RankingSessions {
  /** Keys of parts that were sent. */
  private readonly sent = new WeakMap<object, string>();

  constructor(
    private readonly redis: RedisConnection,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** In a later turn: the reply goes first, unless it waits for something. */
  override remember(search: RankedSearch, ranking: PageRanking): void {
    setImmediate(() => void this.write(search, ranking).catch(() => undefined));
  }

  override async recall(search: RankedSearch): Promise<PageRanking | undefined> {
    try {
      return await this.read(search);
    } catch {
      return undefined;
    }
  }

  override async forget({ storeId, userId, deviceIds }: ForgottenUser): Promise<void> {
    const lists = [`u:${userId}`, ...deviceIds.map((id) => `d:${id}`)].map((shopper) => this.listOf(storeId, shopper));
    await this.redis.run(async (client) => {
      const names = await Promise.all(lists.map((list) => client.smembers(list)));
      await client.unlink(...lists, ...names.flat());
    });
  }

  private async read(search: RankedSearch): Promise<PageRanking | undefined> {
    const found = await this.redis.run((client) => client.get(this.sessionKey(search)));
    if (found === null) return undefined;
    const { at, now, personalization, variant = null, mixed, template, boosts } = JSON.parse(found) as Session;
    if (this.clock.now() - at >= REMEMBERED_MS) return undefined;
    const [templateBlob, boostsBlob] = await this.redis.run((client) =>
      client.mgetBuffer(template, boosts ?? template),
    );
    if (!templateBlob || !boostsBlob) return undefined;
    return {
      now,
      personalization,
      variant,
      ...(mixed ? { mixed } : {}),
      template: unpack(templateBlob) as BoostTemplate,
      boosts: boosts === null ? null : boostsOf(unpack(boostsBlob) as StoredBoosts),
    };
  }

  /** One write, of parts that were not sent before as well. Those that Redis has lost are sent again. */
  private async write(search: RankedSearch, ranking: PageRanking): Promise<void> {
    const lost = await this.send(search, ranking);
    for (const { what } of lost) this.sent.delete(what);
    if (lost.length > 0) await this.send(search, ranking);
  }

  /** Answers the parts that are not in Redis, though they were sent. */
  private async send(search: RankedSearch, ranking: PageRanking): Promise<SharedPart[]> {
    const { template, boosts, personalization, variant, mixed, now } = ranking;
    const shared = this.partOf(template, () => template);
    const own = boosts && this.partOf(boosts, () => textOf(boosts));
    const parts = [shared, ...(own ? [own] : [])];
    const session: Session = {
      at: this.clock.now(),
      now,
      personalization,
      ...(variant ? { variant } : {}),
      ...(mixed ? { mixed } : {}),
      template: shared.name,
      boosts: own?.name ?? null,
    };
    const name = this.sessionKey(search);
    const names = [name, ...(own ? [own.name] : [])];
    const answers = await this.redis.run((client) => {
      const writes = client.pipeline();
      for (const part of parts) {
        if (part.blob) writes.set(part.name, part.blob, 'PX', PART_MS);
        else writes.pexpire(part.name, PART_MS);
      }
      writes.set(name, JSON.stringify(session), 'PX', REMEMBERED_MS);
      for (const shopper of shoppersOf(search)) {
        const list = this.listOf(search.store, shopper);
        writes.sadd(list, ...names).pexpire(list, PART_MS);
      }
      return writes.exec();
    });
    for (const part of parts) this.sent.set(part.what, part.name);
    return parts.filter(({ blob }, at) => blob === null && answers?.[at]?.[1] === 0);
  }

  private partOf(what: object, content: () => unknown): SharedPart {
    const known = this.sent.get(what);
    if (known !== undefined) return { what, name: known, blob: null };
    return { what, name: this.redis.key('ranking', 'part', randomUUID()), blob: pack(content()) };
  }

  private sessionKey(search: RankedSearch): string {
    const { store, userId, deviceId, query } = search;
    return this.redis.key('ranking', 'search', digest(JSON.stringify([store, userId, deviceId, query])));
  }

  /** Names of everything of a shopper. */
  private listOf(store: string, shopper: string): string {
    return this.redis.key('ranking', 'shopper', digest(`${store}\n${shopper}`));
  }
}

function shoppersOf({ userId, deviceId }: RankedSearch): string[] {
  return [...(userId === null ? [] : [`u:${userId}`]), ...(deviceId === null ? [] : [`d:${deviceId}`])];
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32);
const pack = (content: unknown): Buffer => deflateRawSync(JSON.stringify(content), { level: 1 });
const unpack = (blob: Buffer): unknown => JSON.parse(inflateRawSync(blob).toString()) as unknown;

/** Boosts as they are stored: replicas of an older version read and write the same, under the same keys. */
interface StoredBoosts extends Pick<Boosts, 'strength' | 'maxBoost' | 'evidence'> {
  /** Feature weights. */
  adds: [string, number][];
  /** Affinities. */
  weights: [string, number][];
  prices?: [string, PriceTaste][];
}

function textOf(boosts: Boosts): StoredBoosts {
  const { featureWeights, affinities, prices, ...rest } = PackedBoosts.of(boosts).plain();
  const text = { ...rest, adds: [...featureWeights], weights: [...affinities] };
  return prices ? { ...text, prices: [...prices] } : text;
}

function boostsOf({ adds, weights, prices, ...rest }: StoredBoosts): Boosts {
  const boosts = { ...rest, featureWeights: new Map(adds), affinities: new Map(weights) };
  return prices ? { ...boosts, prices: new Map(prices) } : boosts;
}
