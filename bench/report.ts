import { cpus } from 'node:os';
import type { Engine, Row } from './scenario';

const verdict = ({ met }: Row): string => (met === null ? '' : met ? 'met' : '**missed**');

/** Above this others had a good part of the processor, and no figure is what the service can do alone. */
const MOST_LOAD = 0.5;

function busy(load: number): string {
  const text = `Load average of the machine before the start: ${load.toFixed(2)}.`;
  return load > MOST_LOAD ? `${text} **Other work was running: the service alone does better than this.**` : text;
}

/** One markdown table, every miss in it. */
export function report(
  rows: readonly Row[],
  { engine, quick, seconds, loadBefore }: { engine: Engine; quick: boolean; seconds: number; loadBefore: number },
): string {
  const lines = rows.map((one) => `| ${one.what} | ${one.measured} | ${one.target} | ${verdict(one)} |`);
  const [cpu] = cpus();
  const missed = rows.filter(({ met }) => met === false).length;
  return [
    `Node ${process.versions.node}, ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'})${engine === 'embedded' ? '' : `, shared with ${engine} and Redis`}, ${quick ? 'quick run, ' : ''}${Math.round(seconds)} s in all.`,
    busy(loadBefore),
    `Targets missed: ${missed}.`,
    '',
    '| What | Measured | Target | |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}
