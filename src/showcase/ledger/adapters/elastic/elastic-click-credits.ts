import { type ElasticConnection, LONG_TIMEOUT, type Query } from '../../../../storage/elastic/elastic-connection';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { scroll } from '../../../../storage/elastic/scroll';
import { writeOver } from '../../../../storage/elastic/write-over';
import { ClickCredits, type FoundInvalid, type NamedInteraction } from '../../click-credits';
import { INVALID_REASONS, type LedgerDays, type StoredInteraction } from '../../click-ledger';
import { creditedInteraction, measureOf } from '../../ledger-rules';
import { creditAccount } from './credit-account';
import { type InteractionDocument, interactionOf } from './interaction-index';
import { interactionsOf } from './ledger-requests';
import { LedgerIndices } from './showcase-index';

/** Clicks of one request. */
const CHUNK = 500;

const BILLED = 'click/valid';
const CLICKS = [BILLED, ...INVALID_REASONS.map((reason) => measureOf({ type: 'click', verdict: 'invalid', reason }))];
const VIEWS = ['view/valid'];

/**
 * Credits on Elasticsearch, in three writes: the click is invalid, and open; its account has the money back, and lists the click; the
 * click is open no more (docs/adr/0012-money-is-claimed-before-the-click.md). What is left open by a process that died is ended by the next call.
 */
export class ElasticClickCredits extends ClickCredits {
  private constructor(private readonly indices: LedgerIndices) {
    super();
  }

  static async open(connection: ElasticConnection): Promise<ElasticClickCredits> {
    const reads = ReadBatcher.apart(connection, LONG_TIMEOUT);
    return new ElasticClickCredits(await LedgerIndices.open(connection, reads));
  }

  override async *clicks(days: LedgerDays): AsyncGenerator<NamedInteraction[]> {
    for await (const page of this.pages(days, CLICKS)) {
      yield page.map((document) => {
        return { id: document.id ?? '', issuedAt: document.issued, interaction: interactionOf(document) };
      });
    }
  }

  override async *views(days: LedgerDays): AsyncGenerator<StoredInteraction[]> {
    for await (const page of this.pages(days, VIEWS)) yield page.map(interactionOf);
  }

  override async credit(store: string, found: readonly FoundInvalid[]): Promise<number> {
    let credited = 0;
    for (let from = 0; from < found.length; from += CHUNK) {
      credited += await this.invalidate(store, found.slice(from, from + CHUNK));
    }
    await this.endOpen(store);
    return credited;
  }

  private pages(days: LedgerDays, measures: readonly string[]): AsyncGenerator<InteractionDocument[]> {
    const query: Query = { bool: { filter: [interactionsOf(days, []), { terms: { measure: [...measures] } }] } };
    return scroll<InteractionDocument>(this.indices.connection, this.indices.interactions.pattern, query);
  }

  /** Of those that are billed still; a click that somebody else writes at the same time waits for the next call. */
  private async invalidate(store: string, found: readonly FoundInvalid[]): Promise<number> {
    const { interactions } = this.indices;
    const locations = found.map(({ id, issuedAt }) => interactions.locationOf({ store, issuedAt }, id));
    const documents = await interactions.readAll(locations);
    const operations = found.flatMap(({ reason }, index) => {
      const [location, document] = [locations[index], documents[index]];
      if (!location || document?.source.measure !== BILLED) return [];
      const measure = measureOf(creditedInteraction(interactionOf(document.source), reason));
      return [writeOver(location, { ...document.source, measure, credit: 'open' }, document)];
    });
    if (operations.length === 0) return 0;
    return (await interactions.write(operations)).filter(({ status }) => status < 300).length;
  }

  private async endOpen(store: string): Promise<void> {
    const { connection, interactions } = this.indices;
    const query = { bool: { filter: [{ term: { store } }, { term: { credit: 'open' } }] } };
    for await (const page of scroll<InteractionDocument>(connection, interactions.pattern, query)) {
      for (const campaign of new Set(page.map((document) => document.campaign))) {
        const own = page.filter((document) => document.campaign === campaign);
        await creditAccount(this.indices, { store, campaign, clicks: own });
      }
    }
  }
}
