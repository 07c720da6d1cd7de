import { setTimeout as wait } from 'node:timers/promises';
import { unlessStarved } from './unless-starved';

/** What operators are promised: so soon after a fault is felt, health, metrics and the log tell of it. */
export const TOLD_WITHIN_MS = 5000;
const TRIED_EVERY_MS = 50;

/** Tries a check until it holds, and fails where that takes longer than operators were promised to be told. */
export function promptly(told: () => Promise<void>): Promise<void> {
  return unlessStarved(async () => {
    for (const since = performance.now(); ; await wait(TRIED_EVERY_MS)) {
      try {
        return await told();
      } catch (error) {
        if (performance.now() - since > TOLD_WITHIN_MS) throw error;
      }
    }
  });
}
