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
  findings: Finding[];
}

export interface Judged extends Measured {
  p95: Record<'rest' | 'during' | 'after', number>;
  failures: { count: number; of: number; text: string };
}

export function judgeAll(measured: Measured): Judged {
  const { felt, memory, stored, spent, attack, alive } = measured;
  const p95 = (phase: 'rest' | 'during' | 'after'): number => percentile(felt?.[phase].searches ?? [], 0.95);
  const times = { rest: p95('rest'), during: p95('during'), after: p95('after') };
  const failures = failuresOf(felt);
  const findings = [finding('the service afterwards', alive ? 'lives' : 'has ended', 'lives', alive)];
  findings.push(finding("the normal shopper's failures", failures.text, '0', failures.count === 0));
  if ((felt?.during.searches.length ?? 0) >= LEAST_SEARCHES) {
    const ratio = times.during / times.rest;
    findings.push(
      finding(
        "the normal shopper's p95",
        `${ratio.toFixed(1)} x`,
        `at most ${MOST_RATIO} x at rest`,
        ratio <= MOST_RATIO,
      ),
    );
  }
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
