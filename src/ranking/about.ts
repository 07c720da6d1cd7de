import type { BoostTemplate } from './template/template';

/**
 * What a product keeps that is so many steps behind the thing asked for: `step^steps` (docs/ranking.md). A step is at least as wide
 * as `maxBoost`, so that nothing a shopper once looked at or bought crosses it.
 */
export function aboutFactor({ about, maxBoost }: Pick<BoostTemplate, 'about' | 'maxBoost'>, steps: number): number {
  const step = about.step < 1 ? Math.min(about.step, 1 / maxBoost) : 1;
  return step ** steps;
}
