import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Periodic } from '../../shared/async/periodic';
import { Clock } from '../../shared/clock';
import { StoresService } from '../../stores/stores.service';
import { LearningService } from './learning.service';

const LOOK_EVERY_MS = 1000;
/** A feed is taken to be whole when nothing has come for so long; one that goes on and on is not waited for longer. Milliseconds. */
const QUIET_MS = 5000;
const LONGEST_WAITED_MS = 60_000;
/** A store that has learned learns anew for its catalog only where so much of it changed, and no more often than this. */
const CHANGED = { share: 0.1, least: 20 };
const PAUSE_MS = 600_000;

type Model = NonNullable<Awaited<ReturnType<LearningService['model']>>>;

/** Products of a store that came, changed or went since a model was asked for, and when (epoch ms). */
interface Changed {
  count: number;
  first: number;
  last: number;
}

/** Whether a feed is over, or has gone on for as long as is waited for one. Of a clock that was set back it is taken for over. */
export function isSettled({ first, last }: Changed, now: number): boolean {
  return now - last >= QUIET_MS || now - first >= LONGEST_WAITED_MS || now < first;
}

const isOnItsWay = (asked: number, now: number): boolean => now >= asked && now - asked < PAUSE_MS;

/** Whether so many changes are worth another model. `model`: null where nothing was learned yet; `asked`: when one was asked for, epoch ms. */
export function isWorthLearning(
  { count, asked }: { count: number; asked?: number | undefined },
  model: Model | null,
  now: number,
): boolean {
  // Of a large catalog the first takes its time, in which the feed goes on.
  if (!model) return count > 0 && (asked === undefined || !isOnItsWay(asked, now));
  const many = Math.max(CHANGED.least, CHANGED.share * model.products);
  return count >= many && now - model.learnedAt >= PAUSE_MS;
}

/**
 * Learns the shares of a catalog when its first feed is over, and anew when much of it has changed: a new store has no orders to wait for.
 * Each process counts what it took in itself.
 */
@Injectable()
export class LearningOnCatalog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('learning');
  private readonly changed = new Map<string, Changed>();
  /** When a model was asked for, of stores whose first may still be on its way (epoch ms). */
  private readonly asked = new Map<string, number>();
  private readonly looks = new Periodic(
    LOOK_EVERY_MS,
    () => this.look(),
    (error) => this.logger.warn(`Whether a catalog is to be learned could not be looked up: ${String(error)}`),
  );

  constructor(
    private readonly learning: LearningService,
    private readonly stores: StoresService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.looks.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.looks.stop();
  }

  /** `store`: the internal id. */
  productsArrived(store: string, count: number): void {
    const now = this.clock.now();
    const known = this.changed.get(store);
    this.changed.set(store, { count: (known?.count ?? 0) + count, first: known?.first ?? now, last: now });
  }

  private async look(): Promise<void> {
    const now = this.clock.now();
    for (const [store, at] of this.asked) if (!isOnItsWay(at, now)) this.asked.delete(store);
    for (const [store, changed] of this.changed) {
      if (!isSettled(changed, now)) continue;
      const model = await this.model(store);
      const isWorth =
        model !== undefined && isWorthLearning({ count: changed.count, asked: this.asked.get(store) }, model, now);
      // Of a store that is not known any more, or was learned meanwhile, nothing is left to learn.
      const isOver = model === undefined || (model !== null && model.learnedAt >= changed.last);
      this.changed.set(store, { ...(this.changed.get(store) ?? changed), first: now, last: now });
      if (!isOver && isWorth) {
        await this.learning.request(store, { force: true });
        this.asked.set(store, now);
      }
      if (isOver || isWorth) this.forget(store, changed.count);
    }
  }

  /** All but those that arrived while it was looked up. */
  private forget(store: string, count: number): void {
    const known = this.changed.get(store);
    if (!known || known.count <= count) this.changed.delete(store);
    else this.changed.set(store, { ...known, count: known.count - count });
  }

  /** Undefined where there is no such store. */
  private async model(store: string): Promise<Model | null | undefined> {
    return this.stores.byId(store) ? this.learning.model(store) : undefined;
  }
}
