import type { Fields, WithEvents } from './events';

const JSON_LD = 'script[type="application/ld+json"]';
const isProduct = ({ '@type': type }: Fields): boolean =>
  [type].flat().some((one) => one === 'Product' || one === 'ProductGroup');

/** What a script says of this page: its parts, but nothing that lies deeper, as the products of a list do. */
function partsOf(text: string): Fields[] {
  const value = JSON.parse(text) as Fields;
  const graph = value['@graph'];
  return [Array.isArray(graph) ? (graph as Fields[]) : value].flat();
}

function productOf(part: Fields): Fields | null {
  const { productGroupID, productID, sku, offers } = part;
  const pid = productID ?? productGroupID ?? sku;
  if (pid === undefined || pid === '') return null;
  const [offer] = [offers].flat() as (Fields | undefined)[];
  return { pid: String(pid), price: offer?.['price'] ?? offer?.['lowPrice'] };
}

/** Notices the product of a page by its JSON-LD, also where a single-page app writes another one into it. */
export class Markup {
  private readonly read = new WeakMap<Element, string>();

  constructor(private readonly withEvents: WithEvents) {}

  look(): void {
    const fresh: Fields[] = [];
    for (const script of document.querySelectorAll(JSON_LD)) {
      const text = script.textContent ?? '';
      if (this.read.get(script) === text) continue;
      this.read.set(script, text);
      try {
        fresh.push(...partsOf(text).filter(isProduct));
      } catch {
        // No JSON, or half of it: the page changes on.
      }
    }
    // Several are a list, and no page of one product.
    const product = fresh.length === 1 && fresh[0] ? productOf(fresh[0]) : null;
    if (product) this.withEvents((events) => events.view('product', product));
  }
}
