import { qualityTime } from '../../../../ranking/quality';
import type { BoostTemplate } from '../../../../ranking/template/template';
import type { Columns } from '../index/columns';

/** The serving template, those of an experiment and one under preview, as far as there is room. */
const MOST_KEPT = 12;
/** Of a large index there are at least so many, whatever they take. */
const LEAST_KEPT = 3;
const ROOM_BYTES = 4 * 2 ** 20;

/** The quality of every row under the templates in use: the same for every shopper, so it is computed once. */
export class QualityCache {
  private readonly kept = new Map<string, Float64Array>();

  constructor(private readonly columns: Columns) {}

  /** By row; NaN: not computed yet. */
  values(template: BoostTemplate, now: number): Float64Array {
    const key = JSON.stringify([template.signals, template.maxQuality, qualityTime(now)]);
    let values = this.kept.get(key);
    this.kept.delete(key);
    if (!values || values.length < this.columns.rows) {
      const { rows } = this.columns;
      const grown = new Float64Array(rows + (rows >> 4)).fill(Number.NaN);
      if (values) grown.set(values);
      values = grown;
    }
    this.kept.set(key, values);
    const [oldest] = this.kept.keys();
    const room = Math.min(MOST_KEPT, Math.max(LEAST_KEPT, Math.floor(ROOM_BYTES / values.byteLength)));
    if (this.kept.size > room && oldest !== undefined) this.kept.delete(oldest);
    return values;
  }

  forget(rows: readonly number[]): void {
    for (const values of this.kept.values()) for (const row of rows) if (row < values.length) values[row] = Number.NaN;
  }
}
