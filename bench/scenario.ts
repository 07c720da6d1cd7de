import type { BenchShop } from './shop';
import { percentile } from './statistics';

/** One line of the table. */
export interface Row {
  what: string;
  measured: string;
  /** Empty: nothing was promised. */
  target: string;
  met: boolean | null;
}

export const engines = ['embedded', 'elasticsearch'] as const;
export type Engine = (typeof engines)[number];

export interface BenchOptions {
  quick: boolean;
  engine: Engine;
  /** Of a feed, where that is said. */
  lines?: number;
  /** Options of node for the measured service. */
  nodeOptions: readonly string[];
}

/** A named measurement on a loaded shop. */
export interface Scenario {
  name: string;
  /** Products of the shops it is measured on. */
  sizes: readonly number[];
  run(shop: BenchShop, options: BenchOptions): Promise<Row[]>;
}

export const SMALL = 20_000;
export const LARGE = 100_000;

export function row(what: string, measured: string, goal?: { target: string; met: boolean }): Row {
  return { what, measured, target: goal?.target ?? '', met: goal?.met ?? null };
}

export const count = (value: number): string => Math.round(value).toLocaleString('en-US');
export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
export const cores = (value: number | null): string => (value === null ? 'unknown' : `${value.toFixed(2)} cores`);

/** Percentiles of latencies, as `1.23 ms / 4.56 ms`. */
export function percentiles(latencies: readonly number[], ...shares: readonly number[]): string {
  return shares.map((share) => milliseconds(percentile(latencies, share))).join(' / ');
}
