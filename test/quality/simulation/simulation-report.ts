import type { SimulationFigures, SimulationSize } from './simulate';

/**
 * Of 100 runs. What is right in 95 of 100 cases is right in fewer than 93 of 100 now and then; and an interleaving is no better than its own
 * verdict, which is given with 95%. So no goal is 100, and none is what another measurement came to by chance.
 */
export const simulationGoals = { covered: 93, falsely: 7, interleaved: 93 };

export const wholeSimulation: SimulationSize = { runs: 100, shoppers: 4000, days: 14 };
export const SIMULATION_SEED = 20_261_123;

interface Checked {
  what: string;
  found: string;
  goal: string;
  isMet: boolean;
}

const ofHundred = (count: number, runs: number): number => (100 * count) / runs;

/** Each figure beside its goal; `missed`: goals that were. */
export function simulationReport(figures: SimulationFigures): { text: string; missed: number } {
  const { runs, searches, interleaved } = figures;
  const share = (count: number): string => `${ofHundred(count, runs).toFixed(1)} of 100`;
  const atLeast = (what: string, count: number, least: number): Checked => ({
    what,
    found: share(count),
    goal: `at least ${least}`,
    isMet: ofHundred(count, runs) >= least,
  });
  const lines: Checked[] = [
    atLeast('the 95% interval has the true lift in click rate', figures.covered.ctr, simulationGoals.covered),
    atLeast('the 95% interval has the true lift in revenue', figures.covered.revenue, simulationGoals.covered),
    atLeast(
      'the always valid interval has it on every day (click rate)',
      figures.alwaysCovered.ctr,
      simulationGoals.covered,
    ),
    atLeast('the always valid interval has it (revenue)', figures.alwaysCovered.revenue, simulationGoals.covered),
    {
      what: 'A/A: any metric is called different on any day',
      found: share(figures.falsely),
      goal: `at most ${simulationGoals.falsely}`,
      isMet: ofHundred(figures.falsely, runs) <= simulationGoals.falsely,
    },
    {
      what: `interleaving finds the better ranking with ${interleaved.searches} searches`,
      found: `${share(interleaved.found)} (the worse one in ${share(interleaved.wrong)})`,
      goal: `at least ${simulationGoals.interleaved}`,
      isMet: ofHundred(interleaved.found, runs) >= simulationGoals.interleaved,
    },
  ];
  const rows = lines.map(
    ({ what, found, goal, isMet }) => `| ${what} | ${found} | ${goal} | ${isMet ? 'met' : 'MISSED'} |`,
  );
  const text = [
    `Simulated shop, ${runs} runs`,
    '',
    '| what | found | goal | |',
    '|---|---|---|---|',
    ...rows,
    '',
    `Without a goal: with ${searches} searches the experiment's click rate finds it in ${share(figures.found)}; and the interleaving's own interval that is always valid in ${share(interleaved.alwaysFound)}; a fair split was called off in ${share(figures.splitOff)}; whoever had looked at the 95% intervals every day would have called an A/A test different in ${share(figures.falselyByPeeking)}.`,
  ].join('\n');
  return { text, missed: lines.filter(({ isMet }) => !isMet).length };
}
