import type { Campaign } from '../campaigns/campaign';
import type { ProductType, SponsoredProduct } from './inventory';

/** A campaign's product that may be shown, with what it is worth here. */
export interface Candidate {
  campaign: Campaign;
  product: SponsoredProduct;
  /** relevance × bid × expected clicks by view × the shopper's affinity. */
  score: number;
}

export const WIDGET_TYPES = ['native', 'banner', 'text'] as const;
export const PRODUCT_TYPES = ['all', 'brand', 'seller', 'half'] as const;

/** A widget as the page asks for it: `native,24_all`. */
export interface WidgetRequest {
  type: (typeof WIDGET_TYPES)[number];
  most: number;
  productType: (typeof PRODUCT_TYPES)[number];
}

/** The best first; ties by campaign and product, so that equal requests get equal answers. */
export function byScore(a: Candidate, b: Candidate): number {
  if (a.score !== b.score) return b.score - a.score;
  const [name, otherName] = [nameOf(a), nameOf(b)];
  return name < otherName ? -1 : name > otherName ? 1 : 0;
}

const nameOf = ({ campaign, product }: Candidate): string => `${campaign.id}\n${product.id}`;

/** Fills a widget card by card: no more of a brand and of a type than it may hold, and no product twice in a reply. */
export class WidgetPick {
  private picked = 0;
  private readonly brands = new Map<string, number>();
  private readonly types = new Map<ProductType, number>();
  private readonly mostOfBrand: number;

  constructor(
    private readonly request: WidgetRequest,
    brandShare: number,
    private readonly shown: Set<string>,
  ) {
    this.mostOfBrand = Math.max(1, Math.floor(request.most * brandShare));
  }

  /** Cards that the widget still lacks. */
  get left(): number {
    return this.request.most - this.picked;
  }

  fits({ product }: Candidate): boolean {
    if (this.left <= 0 || this.shown.has(product.id)) return false;
    if (product.brand !== '' && (this.brands.get(product.brand) ?? 0) >= this.mostOfBrand) return false;
    const { productType, most } = this.request;
    if (productType === 'all') return true;
    if (productType !== 'half') return product.type === productType;
    const half = product.type === 'brand' ? Math.ceil(most / 2) : Math.floor(most / 2);
    return (this.types.get(product.type) ?? 0) < half;
  }

  take(candidate: Candidate): void {
    const { id, brand, type } = candidate.product;
    this.picked += 1;
    this.shown.add(id);
    this.brands.set(brand, (this.brands.get(brand) ?? 0) + 1);
    this.types.set(type, (this.types.get(type) ?? 0) + 1);
  }
}
