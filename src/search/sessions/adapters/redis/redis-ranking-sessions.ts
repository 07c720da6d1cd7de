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

/** What is still used then is sent again: boosts are used for minutes after they were made, a template for ever. */
const SENT_AGAIN_MS = REMEMBERED_MS;
/** Of what was sent. Pages begin to use it until it is sent again, and a minute is more than it takes to be written. */
const PART_MS = SENT_AGAIN_MS + REMEMBERED_MS + 60_000;

/** Something that several searches share. */
interface SharedPart {
  what: object;
  name: string;
  blob: Buffer;
  /** The shopper's own. */
  isOwn: boolean;
}

/** Shared by all replicas: the next page may be asked of another one. Ids are in no key: only their hashes are. */
export class RedisRankingSessions extends RankingSessions {
  private readonly sent = new WeakMap<object, { name: string; at: number }>();

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

  /** One write of everything that was not sent lately. */
  private async write(search: RankedSearch, ranking: PageRanking): Promise<void> {
    const { template, boosts, personalization, variant, mixed, now } = ranking;
    const lists = shoppersOf(search).map((shopper) => this.listOf(search.store, shopper));
    const parts: SharedPart[] = [];
    const session: Session = {
      at: this.clock.now(),
      now,
      personalization,
      ...(variant ? { variant } : {}),
      ...(mixed ? { mixed } : {}),
      template: this.partOf(template, () => template, parts),
      boosts: boosts && this.partOf(boosts, () => textOf(boosts), parts, true),
    };
    const name = this.sessionKey(search);
    await this.redis.run((client) => {
      const writes = client.pipeline();
      for (const part of parts) writes.set(part.name, part.blob, 'PX', PART_MS);
      writes.set(name, JSON.stringify(session), 'PX', REMEMBERED_MS);
      const own = parts.filter(({ isOwn }) => isOwn).map((part) => part.name);
      for (const list of lists) writes.sadd(list, name, ...own).pexpire(list, PART_MS);
      return writes.exec();
    });
    for (const { what, name: sent } of parts) this.sent.set(what, { name: sent, at: performance.now() });
  }

  /** The key of a part. A part that was not sent lately is added to `parts`. */
  private partOf(what: object, content: () => unknown, parts: SharedPart[], isOwn = false): string {
    const known = this.sent.get(what);
    if (known && performance.now() - known.at < SENT_AGAIN_MS) return known.name;
    const name = known?.name ?? this.redis.key('ranking', 'part', randomUUID());
    parts.push({ what, name, blob: pack(content()), isOwn });
    return name;
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
