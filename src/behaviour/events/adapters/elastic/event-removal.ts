import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import {
  type ElasticConnection,
  errorType,
  LONG_TIMEOUT,
  unavailable,
} from '../../../../storage/elastic/elastic-connection';
import { removeDocuments, removeStoreFrom } from '../../../../storage/elastic/remove-documents';
import { deviceKey, type ShopperKey, userKey } from '../../../shoppers/shopper';
import {
  claimsDevice,
  CLICK,
  ERASED_REMEMBERED_MS,
  type ErasedEvents,
  type EraseRequest,
  type ExpireRequest,
} from '../../event-log';
import { removableBefore } from '../known-snapshots';
import type { ElasticSnapshots } from './elastic-snapshots';
import type { Erasures } from './erasures';
import { type EventDocument, locationOf } from './event-document';
import type { EventIndex, FoundEvent } from './event-index';
import { allBut, expired, oldErasures, oldestRequest, ofShoppers, type Query } from './event-requests';
import { namesOfKeys } from './idempotency';
import type { KeyIndex } from './key-index';
import type { PlannedWrite } from './planned-writes';

/** Terms of one search. */
const SHOPPERS_AT_ONCE = 1000;

/** Takes events out of the log: a user's, those that are too old, a store's. */
export class EventRemoval {
  private readonly connection: ElasticConnection;

  constructor(
    private readonly events: EventIndex,
    private readonly keys: KeyIndex,
    private readonly erasures: Erasures,
    private readonly snapshots: ElasticSnapshots,
  ) {
    this.connection = events.connection;
  }

  async erase({ store, userId, devices: seen, erasedUser, at }: EraseRequest): Promise<ErasedEvents> {
    // First: so an event that is being written now sees the erasure, or is found here.
    await this.erasures.add(store, erasedUser, at);
    const links = new Set<string>();
    let events = 0;
    // The user's own go last: they tell which devices these are, should this have to be done again.
    const others = seen.map(deviceKey);
    const groups: ShopperKey[][] = [];
    while (others.length > 0) groups.push(others.splice(0, SHOPPERS_AT_ONCE));
    for (const some of [...groups, [userKey(userId)]]) {
      for await (const page of this.events.pages(ofShoppers(store, some))) {
        await this.keys.write(page.flatMap(({ source }) => this.afterErasure(source)));
        const items = await this.events.write(page.map(deletionOf));
        events += items.filter(({ status }) => status === 200).length;
        const stayed = page.filter((_event, index) => items[index]?.status === 409);
        await this.keys.write(stayed.flatMap(({ source }) => this.keptKeys(source)));
        for (const { source } of page) {
          if (source.device !== null && claimsDevice(source.user, source.device, source.verdict)) {
            links.add(source.device);
          }
        }
      }
    }
    return { events, links: links.size };
  }

  /** Events whose user was erased while they were written. */
  async takeBack(writes: readonly PlannedWrite[]): Promise<void> {
    if (writes.length === 0) return;
    const deletions = writes.flatMap(({ location, moves }): BulkOperation[] => [
      this.events.deletion(location),
      ...moves.map(({ found: { index, id } }): BulkOperation => ({ type: 'delete', index, id })),
    ]);
    await this.events.write(deletions);
    const clicks = writes.flatMap(({ event }) => (event.name === CLICK ? namesOfKeys(event) : []));
    await this.keys.write(clicks.map((key) => this.keys.drop(key)));
    // The events of the device are gone, too: the caller has to try again.
    if (writes.some(({ moves }) => moves.length > 0)) throw unavailable(new Error('The user was just erased'));
  }

  async expire({ store, before, lacking }: ExpireRequest): Promise<number> {
    // From then on, a key without its event belongs to an event that was removed.
    await this.keys.write([this.keys.put({ kind: 'expired', store, name: '' }, { at: before })]);
    const query = expired(store, before, lacking);
    await this.events.refresh();
    const { pattern } = this.events;
    const indices = await this.connection.call(
      (client, options) => client.indices.get({ index: pattern }, options),
      LONG_TIMEOUT,
    );
    let removed = 0;
    for (const index of Object.keys(indices)) {
      const found = await this.count(index, query);
      const canDrop = found > 0 && (await this.count(index, allBut(query))) === 0;
      if (canDrop && (await this.drop(index, query))) removed += found;
      else if (found > 0) removed += await removeDocuments(this.connection, index, query);
    }
    await this.snapshots.expire(store, removableBefore(Math.min(before, await this.oldestReceived(store))));
    return removed;
  }

  async forgetErasures(now: number): Promise<void> {
    await removeDocuments(this.connection, this.keys.index, oldErasures(now - ERASED_REMEMBERED_MS));
  }

  async removeStore(store: string): Promise<number> {
    const events = await removeStoreFrom(this.connection, this.events.pattern, store);
    await removeStoreFrom(this.connection, this.keys.index, store);
    await this.snapshots.removeStore(store);
    return events;
  }

  /**
   * Keys of an event outlive it, used for good: it does not come in again. No client chooses the key of a click, which is made of the link and
   * of who followed it: it goes with the click.
   */
  private afterErasure({ store, name: event, keys }: EventDocument): BulkOperation[] {
    const names = namesOfKeys({ store, idempotencyKeys: keys });
    return names.map((key) => (event === CLICK ? this.keys.drop(key) : this.keys.put(key, { spent: true })));
  }

  /** A click that another user claimed meanwhile keeps its key, unless somebody has followed the link again by now. */
  private keptKeys({ name, store, at, seq, keys }: EventDocument): BulkOperation[] {
    if (name !== CLICK) return [];
    const event = { store, at, idempotencyKeys: keys };
    const location = locationOf(event, seq);
    return namesOfKeys(event).map((key) => this.keys.over(key, null, { event: location, at }));
  }

  /** Of the events that are left. */
  private async oldestReceived(store: string): Promise<number> {
    await this.events.refresh();
    const request = oldestRequest(this.events.pattern, store);
    const { aggregations } = await this.connection.search<unknown, { oldest: { value: number | null } }>(
      request,
      LONG_TIMEOUT,
    );
    return aggregations?.oldest.value ?? Infinity;
  }

  private async count(index: string, query: Query): Promise<number> {
    const { count, _shards } = await this.connection.call(
      (client, options) => client.count({ index, query }, options),
      LONG_TIMEOUT,
    );
    if (_shards.successful < _shards.total) throw unavailable(new Error('Not all of the log can be counted'));
    return count;
  }

  /** A whole index, of which nothing is to be kept; false where something was written to it just now. */
  private async drop(index: string, query: Query): Promise<boolean> {
    // Waits for writes under way and refuses others, so that no acknowledged event goes with the index.
    await this.connection.call(
      (client, options) => client.indices.addBlock({ index, block: 'write' }, options),
      LONG_TIMEOUT,
    );
    try {
      await this.connection.refresh(index);
      const isEmpty = (await this.count(index, allBut(query))) === 0;
      if (!isEmpty) await this.unblock(index);
      else await this.connection.call((client, options) => client.indices.delete({ index }, options), LONG_TIMEOUT);
      return isEmpty;
    } catch (error) {
      if (errorType(error) === 'index_not_found_exception') return true;
      await this.unblock(index).catch(() => undefined);
      throw unavailable(error);
    }
  }

  private async unblock(index: string): Promise<void> {
    const settings = { 'index.blocks.write': null };
    await this.connection.call(
      (client, options) => client.indices.putSettings({ index, settings }, options),
      LONG_TIMEOUT,
    );
  }
}

/** An event of a device that another user claims just now is that user's. */
function deletionOf({ index, id, source, seqNo, primaryTerm }: FoundEvent): BulkOperation {
  const expected = { seqNo, primaryTerm };
  return { type: 'delete', index, id, ...(source.shopper?.startsWith('d:') ? { expected } : {}) };
}
