import type { InvalidReason, StoredInteraction } from '../ledger/click-ledger';
import type { NamedInteraction } from '../ledger/click-credits';
import type { AddressLimits } from '../links/click-windows';
import { hasPace } from './pace';
import type { SeenViews } from './seen-views';

/** What of a campaign's clicks on a day may come from one address: what also holds for an hour. */
type AddressRule = Pick<AddressLimits, 'share' | 'floor'>;

/** Clicks of one address on a day from which it is asked whether the products were seen before. */
const LEAST_UNSEEN = 5;
/** The share of an address's clicks without a view that is too many, where of all others' most have one. */
const MOSTLY = 0.8;
/** Clicks and views of others that say what is usual. */
const LEAST_OTHERS = 20;
const LEAST_VIEWS = 100;
/** Clicks of one agent on a day from which it is compared with the others. */
const LEAST_OF_AGENT = 20;
/** An agent clicks more than half as often as it looks, and so many times as often as the others do. */
const MOST_CLICKS_BY_VIEW = 0.5;
const TIMES_THE_OTHERS = 5;

/**
 * The clicks of a store's day that no interested shopper has made, with what speaks against each. All billed clicks of the day are asked
 * for, credited ones too, so that a second look finds the same as the first. What a store vouches for keeps no address and no agent, and
 * is never among them.
 */
export function findInvalid(
  clicks: readonly NamedInteraction[],
  views: SeenViews,
  rule: AddressRule,
): Map<string, InvalidReason> {
  const found = new Map<string, InvalidReason>();
  const suspects: [InvalidReason, NamedInteraction[]][] = [
    ['address', ofFewAddresses(clicks, rule)],
    ['pace', ofMachines(clicks)],
    ['no_view', unseen(clicks, views)],
    ['agent', ofAgents(clicks, views)],
  ];
  for (const [reason, named] of suspects) for (const { id } of named) if (!found.has(id)) found.set(id, reason);
  return found;
}

/** Addresses with more of a campaign's clicks than fit one household: all of theirs on it. */
function ofFewAddresses(clicks: readonly NamedInteraction[], { share, floor }: AddressRule): NamedInteraction[] {
  return [...groups(clicks, ({ campaign }) => campaign).values()]
    .flatMap((all) =>
      [...groups(all, ({ address }) => address).values()].filter(
        ({ length }) => length > Math.max(floor, share * all.length),
      ),
    )
    .flat();
}

/** By address, and by shopper: names may be made up, and addresses rented. */
function ofMachines(clicks: readonly NamedInteraction[]): NamedInteraction[] {
  const known = clicks.filter(({ interaction }) => interaction.address !== undefined);
  const rows = [
    ...groups(known, ({ address }) => address).values(),
    ...groups(known, ({ shopper }) => shopper ?? undefined).values(),
  ];
  return rows.flatMap((row) => {
    const inOrder = row.toSorted((a, b) => a.interaction.at - b.interaction.at);
    const paced = hasPace(inOrder.map(({ interaction }) => interaction.at));
    return inOrder.filter((_click, index) => paced[index]);
  });
}

/** Of addresses that click on what was never shown to them, where shoppers of this store look before they click. */
function unseen(clicks: readonly NamedInteraction[], views: SeenViews): NamedInteraction[] {
  const known = clicks.filter(({ interaction }) => interaction.address !== undefined);
  const without = new Set(known.filter(({ interaction }) => !views.shown(interaction)));
  return [...groups(known, ({ address }) => address).values()].flatMap((own) => {
    const ownWithout = own.filter((click) => without.has(click));
    const others = known.length - own.length;
    const usual = others >= LEAST_OTHERS && without.size - ownWithout.length <= others / 2;
    const isFound = usual && own.length >= LEAST_UNSEEN && ownWithout.length >= MOSTLY * own.length;
    return isFound ? ownWithout : [];
  });
}

/** One program behind many addresses: its agent clicks without looking, and nobody else's does. */
function ofAgents(clicks: readonly NamedInteraction[], views: SeenViews): NamedInteraction[] {
  const known = clicks.filter(({ interaction }) => interaction.agent !== undefined);
  return [...groups(known, ({ agent }) => agent)].flatMap(([agent, own]) => {
    const seen = views.byAgent.get(agent) ?? 0;
    const [others, othersSeen] = [known.length - own.length, views.count - seen];
    const rate = own.length / Math.max(1, seen);
    const isFound =
      own.length >= LEAST_OF_AGENT &&
      othersSeen >= LEAST_VIEWS &&
      rate > MOST_CLICKS_BY_VIEW &&
      rate > (TIMES_THE_OTHERS * others) / othersSeen;
    return isFound ? own : [];
  });
}

/** Without those that have no such name. */
function groups(
  clicks: readonly NamedInteraction[],
  nameOf: (click: StoredInteraction) => string | undefined,
): Map<string, NamedInteraction[]> {
  const named = new Map<string, NamedInteraction[]>();
  for (const click of clicks) {
    const name = nameOf(click.interaction);
    if (name === undefined) continue;
    const group = named.get(name);
    if (group) group.push(click);
    else named.set(name, [click]);
  }
  return named;
}
