import type { Attack, Finding } from './attack';
import type { Spent } from './attacker';
import type { Felt } from './shopper-task';
import { percentile } from '../../bench/statistics';
import { finding } from './attack';

const MOST_RATIO = 3;
const MOST_STORED = 5;
const MOST_MEMORY_MIB = 100;
/** What was sent has to be more than what a few pages of a database or a segment of an index take. */
const LEAST_SENT = 500_000;
/** A p95 of fewer says nothing. */
const LEAST_SEARCHES = 20;

/** What was seen of one attack. */
export interface Measured {
  attack: Attack;
  spent: Spent;
  seconds: number;
  felt: Felt | null;
  /** MiB. */
  memory: { rest: number; after: number } | null;
  /** Bytes that came on top, without the normal shopper's own. */
  stored: number;
  /** Whether the service lives. */
  alive: boolean;
  /** Cores kept busy: by the attacker's own process, and by all of the machine while the shop was at rest. */
  cores: { attacker: number; machineAtRest: number };
  findings: Finding[];
}

type Timed = 'rest' | 'during' | 'after' | 'beside';

export interface Judged extends Measured {
  p95: Record<Timed, number>;
  failures: { count: number; of: number; text: string };
}

export function judgeAll(measured: Measured): Judged {
  const { felt, memory, stored, spent, attack, alive } = measured;
  const p95 = (phase: Timed): number => percentile(felt?.[phase].searches ?? [], 0.95);
  const times = { rest: p95('rest'), during: p95('during'), after: p95('after'), beside: p95('beside') };
  const failures = failuresOf(felt);
  const findings = [finding('the service afterwards', alive ? 'lives' : 'has ended', 'lives', alive)];
  findings.push(finding("the normal shopper's failures", failures.text, '0', failures.count === 0));
  if ((felt?.during.searches.length ?? 0) >= LEAST_SEARCHES) findings.push(slowness(times));
  if (attack.stores && spent.sent >= LEAST_SENT) {
    const ratio = Math.max(0, stored) / spent.sent;
    findings.push(
      finding('bytes stored for a byte sent', ratio.toFixed(2), `at most ${MOST_STORED}`, ratio <= MOST_STORED),
    );
  }
  if (memory && alive) {
    const more = memory.after - memory.rest;
    findings.push(
      finding(
        'memory on top afterwards',
        `${more.toFixed(0)} MiB`,
        `at most ${MOST_MEMORY_MIB} MiB`,
        more <= MOST_MEMORY_MIB,
      ),
    );
  }
  return { ...measured, p95: times, failures, findings: [...findings, ...measured.findings] };
}

/**
 * What counts is the shopper's own at rest. The attacker's process is on the machine of the service, and takes time from it that an attacker
 * elsewhere would not: how it was beside a neighbour that is as busy and asks for nothing is told with it.
 */
function slowness({ rest, during, beside }: Judged['p95']): Finding {
  const [alone, besideOne] = [during / rest, during / beside];
  const text = `${alone.toFixed(1)} x at rest${Number.isNaN(beside) ? '' : `, ${besideOne.toFixed(1)} x beside a neighbour as busy as the attacker`}`;
  return finding("the normal shopper's p95", text, `at most ${MOST_RATIO} x at rest`, alone <= MOST_RATIO);
}

/** At rest nothing may fail, either: then the shop, and not the attack, is at fault. */
function failuresOf(felt: Felt | null): Judged['failures'] {
  if (!felt) return { count: 1, of: 1, text: 'the normal shopper was lost' };
  const phases = [felt.rest, felt.during, felt.after];
  const reasons: Record<string, number> = {};
  for (const { failures } of phases) {
    for (const [reason, count] of Object.entries(failures)) reasons[reason] = (reasons[reason] ?? 0) + count;
  }
  const count = Object.values(reasons).reduce((sum, one) => sum + one, 0);
  const of = phases.reduce((sum, { searches, others }) => sum + searches.length + others.length, 0);
  const why = Object.entries(reasons).map(([reason, times]) => `${times} x ${reason}`);
  return { count, of, text: `${count} of ${of}${why.length > 0 ? ` (${why.join(', ')})` : ''}` };
}
