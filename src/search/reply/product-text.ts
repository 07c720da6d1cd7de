import { randomUUID } from 'node:crypto';
import { bytesOfText } from '../../shared/bytes-of-text';
import { JsonPart } from './json-part';

/** Stand for a link and for a SKU where a product's JSON is made: no product has them. */
const LINK = randomUUID();
const SKU = randomUUID();
const SKU_JSON = JSON.stringify(SKU);

/** A product of a reply as JSON, but for what differs from search to search. */
export class ProductText {
  /** Before the link that counts its click, from there to the SKU that is chosen, if one is, and behind it, without the brace at the end. */
  private readonly pieces: readonly [before: string, between: string, behind: string | null];

  /** `reply`: the product as replies show it, with that link and that SKU. */
  constructor(reply: (clickUrl: string, sku: string) => object) {
    const text = JSON.stringify(reply(LINK, SKU)).slice(0, -1);
    const [before = '', rest = ''] = text.split(LINK);
    const [between = '', behind = null] = rest.split(SKU_JSON);
    this.pieces = [before, between, behind];
  }

  /** Of memory. */
  get bytes(): number {
    return this.pieces.reduce((sum, piece) => sum + bytesOfText(piece ?? ''), 0);
  }

  /** `clickUrl`: percent-encoded, so that JSON has it as it is. `more`: fields that follow. */
  with(clickUrl: string, { sku = '', more }: { sku?: string | undefined; more?: object | undefined } = {}): JsonPart {
    const [before, between, behind] = this.pieces;
    const after = behind === null ? [between] : [between, JSON.stringify(sku), behind];
    const fields = more ? JSON.stringify(more).slice(1) : '}';
    after.push(fields === '}' ? fields : `,${fields}`);
    return new JsonPart([before, clickUrl, ...after], () => before + after.join(''));
  }
}
