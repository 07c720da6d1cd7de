import { cpus } from 'node:os';
import type { Judged } from './measured';

const MEGA = 1_000_000;
const megabytes = (bytes: number): string => `${(bytes / MEGA).toFixed(1)} MB`;
const milliseconds = (ms: number): string => (Number.isNaN(ms) ? '-' : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`);
const count = (number: number): string => number.toLocaleString('en-US');

export const isMet = ({ findings }: Judged): boolean => findings.every(({ met }) => met);

/** Everything about one attack. */
export function details(judged: Judged): string {
  const { attack, spent, seconds, p95, failures, memory, stored, cores, findings } = judged;
  const statuses = Object.entries(spent.statuses).map(([status, replies]) => `${status}: ${count(replies)}`);
  if (spent.unanswered > 0) statuses.push(`none: ${count(spent.unanswered)}`);
  const cost = `${count(spent.requests)} requests, ${megabytes(spent.sent)} sent, ${megabytes(spent.answered)} answered, ${seconds.toFixed(1)} s`;
  const felt = `search p95 ${milliseconds(p95.rest)} at rest, ${milliseconds(p95.during)} during, ${milliseconds(p95.after)} after, ${milliseconds(p95.beside)} beside a busy neighbour; failed ${failures.text}`;
  const taken = `${cores.attacker.toFixed(2)} cores by the attacker; ${cores.machineAtRest.toFixed(2)} by the whole machine at rest`;
  const kept = `${megabytes(stored)} stored on top`;
  const resident = memory ? `, memory ${memory.rest.toFixed(0)} MiB at rest, ${memory.after.toFixed(0)} MiB after` : '';
  return [
    `${attack.name}: ${attack.title}`,
    `  spent   ${cost} (${statuses.join(', ') || 'nothing'})`,
    `  felt    ${felt}`,
    `  busy    ${taken}`,
    `  kept    ${kept}${resident}`,
    ...findings.map(
      ({ what, measured, target, met }) => `  ${met ? 'ok     ' : 'MISSED '} ${what}: ${measured} (target: ${target})`,
    ),
    '',
  ].join('\n');
}

function line(judged: Judged): string {
  const { attack, spent, seconds, p95, failures, memory, stored, findings } = judged;
  const missed = findings.filter(({ met }) => !met).map(({ what, measured }) => `${what}: ${measured}`);
  const cells = [
    attack.name,
    `${count(spent.requests)}, ${megabytes(spent.sent)}, ${seconds.toFixed(0)} s`,
    `${milliseconds(p95.rest)} / ${milliseconds(p95.during)} / ${milliseconds(p95.after)} / ${milliseconds(p95.beside)}`,
    judged.cores.machineAtRest.toFixed(1),
    String(failures.count),
    attack.stores ? (Math.max(0, stored) / Math.max(1, spent.sent)).toFixed(1) : '-',
    memory ? `${(memory.after - memory.rest).toFixed(0)} MiB` : '-',
    missed.length === 0 ? 'withstood' : `**missed**: ${missed.join('; ')}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Above this others had a good part of the processor, and no time says what an attack does alone. */
const MOST_LOAD = 1;

function busy(load: number): string {
  const text = `Load average of the machine before the start: ${load.toFixed(2)}.`;
  return load > MOST_LOAD ? `${text} **Other work was running: times say nothing of the service.**` : text;
}

/** All attacks, one line each. */
export function table(all: readonly Judged[], { engine, loadBefore }: { engine: string; loadBefore: number }): string {
  return [
    `${engine}, ${cpus().length} cores. ${busy(loadBefore)}`,
    '',
    '| Attack | Spent: requests, bytes, time | Search p95 at rest / during / after / beside a busy neighbour | Cores busy at rest | Failed | Stored per byte sent | Memory on top | |',
    '|---|---|---|---|---|---|---|---|',
    ...all.map(line),
    '',
    `${all.filter(isMet).length} of ${all.length} attacks withstood.`,
    '',
  ].join('\n');
}
