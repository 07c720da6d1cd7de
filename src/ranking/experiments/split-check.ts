import { chiSquareTail } from './chi-square';

/**
 * Whether shoppers were divided as they should have been (sample ratio mismatch). Where they were not, something loses or adds some of them, and
 * no difference between the groups means anything. Fabijan et al., "Diagnosing Sample Ratio Mismatch in Online Controlled Experiments", KDD 2019.
 */

export interface SplitPart {
  /** Of 1, that it should have; together 1. */
  share: number;
  /** Shoppers it has. */
  found: number;
}

export interface SplitCheck {
  /** Pearson's chi-square; `pValue` is how often a fair split is as far off as this or further. */
  chiSquare: number;
  pValue: number;
  isOff: boolean;
}

/** Below it the split is called off: as strict as is usual for it, because results are looked at every day. */
const LEVEL = 0.001;
/** With fewer shoppers expected of a part the chi-square is none. */
const FEWEST = 5;

export function splitCheck(parts: readonly SplitPart[]): SplitCheck {
  const all = parts.reduce((sum, { found }) => sum + found, 0);
  if (parts.length < 2 || parts.some(({ share }) => share * all < FEWEST))
    return { chiSquare: 0, pValue: 1, isOff: false };
  const chiSquare = parts.reduce((sum, { share, found }) => sum + (found - share * all) ** 2 / (share * all), 0);
  const pValue = chiSquareTail(chiSquare, parts.length - 1);
  return { chiSquare, pValue, isOff: pValue < LEVEL };
}
