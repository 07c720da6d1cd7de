import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Clock ticks a second in /proc: fixed at 100 for programs on Linux. */
const TICKS = 100;
const MICROSECONDS = 1e6;

/** Seconds of processor time that this process, which attacks, has used so far. */
export function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MICROSECONDS;
}

/** Seconds of processor time that the whole machine has used so far, all cores. NaN where the system doesn't tell. */
export function machineSeconds(): number {
  try {
    const [user = 0, nice = 0, system = 0] = (/^cpu\s+(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '')
      .split(' ')
      .map(Number);
    return (user + nice + system) / TICKS;
  } catch {
    return NaN;
  }
}

/**
 * Runs beside a process that keeps the processor as busy as the attacker did, and leaves the service alone: on one machine an attacker takes
 * time from the service that one from outside would not. `share`: of one core.
 */
export async function besideNeighbour(share: number, work: () => Promise<unknown>): Promise<void> {
  const args = ['--require', '@swc-node/register', join(__dirname, 'neighbour.process.ts'), share.toFixed(3)];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  try {
    await work();
  } finally {
    const ended = once(child, 'exit');
    kill();
    if (child.exitCode === null && child.signalCode === null) await ended;
    process.off('exit', kill);
  }
}
