import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type DocumentKey, Documents } from '../../documents/documents';
import { Coalesced } from '../../shared/async/coalesced';
import { toUnits } from '../../shared/micros';
import { WebhookEmitter } from '../../webhooks/webhook-emitter';
import { type Charge, ClickLedger, type ClickVerdict, type Interaction, type Spent } from './click-ledger';

/** Which of a campaign's budgets is spent, and the key by which that is told once. */
interface SpentBudget {
  budget: 'total' | 'daily';
  key: string;
}

type Click = Pick<Interaction, 'store' | 'campaign' | 'day'> & { charge: Charge };

const MOST_REMEMBERED = 10_000;
const toldKey = (store: string, campaign: string): DocumentKey => ({ store, kind: 'budget-told', id: campaign });

/**
 * Tells a store that a campaign's budget can't pay for another click: once for the whole budget as it was set, and once a day for the daily
 * one. It looks after clicks that cost or would have cost, and only where a webhook wants to hear of it. No click waits for it.
 */
@Injectable()
export class BudgetAlerts {
  private readonly logger = new Logger('Showcase');
  private readonly told = new LRUCache<string, true>({ max: MOST_REMEMBERED });
  /** Looks under way or waiting, by campaign: a click that comes meanwhile is looked at by the next. */
  private readonly looking = new LRUCache<string, { click: Click; look: Coalesced<void> }>({ max: MOST_REMEMBERED });

  constructor(
    private readonly ledger: ClickLedger,
    private readonly documents: Documents,
    private readonly emitter: WebhookEmitter,
  ) {}

  clicked({ store, campaign, day, charge }: Interaction, verdict: ClickVerdict): void {
    if (!charge || (verdict !== 'valid' && verdict !== 'over_budget')) return;
    if (!this.emitter.wants(store, 'budget.spent')) return;
    const click = { store, campaign, day, charge };
    const name = `${store} ${campaign}`;
    const known = this.looking.get(name) ?? { click, look: new Coalesced(() => this.look(name)) };
    this.looking.set(name, { ...known, click });
    known.look.run().catch((error: unknown) => this.logger.warn('A spent budget could not be told', error));
  }

  private async look(name: string): Promise<void> {
    const click = this.looking.get(name)?.click;
    if (!click) return;
    const spent = (await this.ledger.spent(click.store, [click.campaign], click.day)).get(click.campaign);
    for (const found of spentBudgets(click, spent ?? { total: 0, today: 0 })) {
      if (!this.told.has(`${name} ${found.key}`)) await this.tell(click, found, spent ?? { total: 0, today: 0 });
      this.told.set(`${name} ${found.key}`, true);
    }
  }

  /** The note comes last: where a process dies before it, it is told again under the same id. */
  private async tell({ store, campaign, day, charge }: Click, found: SpentBudget, spent: Spent): Promise<void> {
    const key = toldKey(store, campaign);
    const before = (await this.documents.get<Record<string, string>>(key))?.body ?? {};
    if (before[found.budget] === found.key) return;
    const limit = found.budget === 'total' ? charge.budget : (charge.dailyBudget ?? 0);
    const data = {
      campaign,
      budget: found.budget,
      day,
      limit: toUnits(limit),
      spent: { total: toUnits(spent.total), today: toUnits(spent.today) },
    };
    await this.emitter.emit(store, 'budget.spent', { key: `${campaign}:${found.key}`, data });
    await this.documents.put([{ ...key, body: { ...before, [found.budget]: found.key } }]);
  }
}

function spentBudgets({ day, charge }: Click, { total, today }: Spent): SpentBudget[] {
  const { cost, budget, dailyBudget } = charge;
  if (total + cost > budget) return [{ budget: 'total', key: `total:${budget}` }];
  return dailyBudget !== null && today + cost > dailyBudget
    ? [{ budget: 'daily', key: `daily:${day}:${dailyBudget}` }]
    : [];
}
