import type { ReplayReport } from './replay-report';
import type { Shown } from './replay-tally';

export interface ProductFacts {
  brand: string | null;
  price: number;
}

const MOST_BRANDS = 10;

/** How prices and brands of what is shown first change; products that are gone are left out. */
export function shiftOf(
  shown: Shown,
  facts: ReadonlyMap<string, ProductFacts>,
): Pick<ReplayReport, 'price' | 'brands'> {
  const total = { current: 0, candidate: 0 };
  const paid = { current: 0, candidate: 0 };
  const brands = new Map<string, { current: number; candidate: number }>();
  for (const [product, times] of shown) {
    const known = facts.get(product);
    if (!known) continue;
    const ofBrand = brands.get(known.brand ?? '') ?? { current: 0, candidate: 0 };
    brands.set(known.brand ?? '', ofBrand);
    for (const side of ['current', 'candidate'] as const) {
      total[side] += times[side];
      paid[side] += times[side] * known.price;
      ofBrand[side] += times[side];
    }
  }
  const share = (sum: number, of: number): number => (of > 0 ? sum / of : 0);
  return {
    price: {
      current: total.current > 0 ? paid.current / total.current : null,
      candidate: total.candidate > 0 ? paid.candidate / total.candidate : null,
    },
    brands: [...brands]
      .map(([brand, sums]) => ({
        brand,
        current: share(sums.current, total.current),
        candidate: share(sums.candidate, total.candidate),
      }))
      .sort(
        (a, b) => Math.abs(b.candidate - b.current) - Math.abs(a.candidate - a.current) || (a.brand < b.brand ? -1 : 1),
      )
      .slice(0, MOST_BRANDS),
  };
}
