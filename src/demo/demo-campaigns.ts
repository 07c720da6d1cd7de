import type { Campaign } from '../showcase/campaigns/campaign';
import { PLACEMENTS } from '../showcase/campaigns/campaign';
import type { DemoProduct } from './demo-catalog';

const PRODUCTS_EACH = 12;
/** Cents, so that clicks of different departments are worth differently much. */
const BIDS = [90, 120, 60, 150, 75, 45, 110, 80];

/** A campaign for each department of the demo shop: its most popular products. */
export function demoCampaigns(products: readonly DemoProduct[]): Campaign[] {
  const departments = new Map<string, DemoProduct[]>();
  for (const product of products) {
    const department = product.categories[0] ?? '';
    departments.set(department, [...(departments.get(department) ?? []), product]);
  }
  return [...departments].map(([department, own], number) => ({
    id: `demo-${number + 1}`,
    name: `Vitrine de ${department}`,
    products: own
      .filter(({ sent }) => sent['status'] === 'available')
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
