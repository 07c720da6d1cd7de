import { aProduct } from './a-product';

/** Two brands of shoes that differ in nothing else, and things that are no shoes. */
export const VELOZ = ids('veloz', 12);
export const CALMA = ids('calma', 12);
const LAMPS = ids('lamp', 6);

function ids(kind: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${kind}-${String(index + 1).padStart(2, '0')}`);
}

/** A small shop in which only taste tells the products of a query apart. */
export function aShop(): Record<string, unknown>[] {
  const created = '2025-06-01T00:00:00.000Z';
  const shoe = (id: string, brand: string): Record<string, unknown> =>
    aProduct({ id, brand, created, name: `Tênis ${brand} Corrida ${id.slice(-2)}`, url: `https://loja.example/${id}` });
  return [
    ...VELOZ.map((id) => shoe(id, 'Veloz')),
    ...CALMA.map((id) => shoe(id, 'Calma')),
    ...LAMPS.map((id) =>
      aProduct({
        id,
        created,
        brand: 'Luz',
        name: `Luminária de Mesa ${id.slice(-2)}`,
        categories: ['Casa > Iluminação'],
        url: `https://loja.example/${id}`,
      }),
    ),
  ];
}

/** How far in front the products of one brand stand: the mean position (from 0) of each. */
export function meanPlace(order: readonly string[], brand: string): number {
  const positions = order.flatMap((id, position) => (id.startsWith(`${brand}-`) ? [position] : []));
  return positions.reduce((sum, position) => sum + position, 0) / positions.length;
}
