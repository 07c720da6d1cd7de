import { type Campaign, PLACEMENTS } from '../showcase/campaigns/campaign';
import type { DemoProduct } from './demo-catalog';

const PRODUCTS_EACH = 12;
/** In cents, by department. */
const BIDS = [90, 120, 60, 150, 75, 45, 110, 80];

/** A campaign for each department of the demo shop: its most popular products. */
export function demoCampaigns(products: readonly DemoProduct[]): Campaign[] {
  const departments = [...new Set(products.map(({ categories }) => categories[0]))];
  return departments.map((department, number) => ({
    id: `demo-${number + 1}`,
    name: `Vitrine de ${department}`,
    products: products
      .filter(({ categories, sent }) => categories[0] === department && sent['status'] === 'available')
      .sort((a, b) => b.popularity - a.popularity || (a.id < b.id ? -1 : 1))
      .slice(0, PRODUCTS_EACH)
      .map(({ id }) => id),
    placements: [...PLACEMENTS],
    budget: 10_000,
    dailyBudget: 500,
    bid: (BIDS[number % BIDS.length] ?? 50) / 100,
    status: 'active',
  }));
}
