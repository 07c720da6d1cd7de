import { kendallTau, simulateReplay } from './replay-simulation';

const SHOPS = 20;
export const REPLAYED_SHOP = { seed: 7, shoppers: 60, searches: 6 };
/** Mean of all shops: the five templates are ten pairs, and 0.8 is one pair of them the wrong way round. */
const LEAST_TAU = 0.8;

/** How well a replay orders templates of known value: in one shop without a mistake, and over many. `missed`: goals that were. */
export async function replayReport(progress: (text: string) => void): Promise<{ text: string; missed: number }> {
  const taus: number[] = [];
  for (let seed = 1; seed <= SHOPS; seed += 1) {
    progress(`shop ${seed} of ${SHOPS}`);
    taus.push(kendallTau(await simulateReplay({ ...REPLAYED_SHOP, seed })));
  }
  const mean = taus.reduce((sum, tau) => sum + tau, 0) / SHOPS;
  const fixed = taus[REPLAYED_SHOP.seed - 1] ?? Number.NaN;
  const rows = [
    { what: `shop ${REPLAYED_SHOP.seed}`, found: fixed, least: 1 },
    { what: `mean of ${SHOPS} shops (least ${Math.min(...taus).toFixed(2)})`, found: mean, least: LEAST_TAU },
  ];
  const lines = rows.map(
    ({ what, found, least }) =>
      `| ${what} | ${found.toFixed(2)} | at least ${least} | ${found >= least ? 'met' : 'MISSED'} |`,
  );
  const head = ["Replays of five templates beside their true value: Kendall's tau", '', '| shops | tau | goal | |'];
  const text = [...head, '|---|---|---|---|', ...lines].join('\n');
  return { text, missed: rows.filter(({ found, least }) => found < least).length };
}
