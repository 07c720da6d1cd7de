import { qualityTime } from '../../../../ranking/quality';
import type { BoostTemplate } from '../../../../ranking/template/template';
import type { Columns } from '../index/columns';

/** The serving template and one under preview. */
const MOST_KEPT = 3;

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
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return values;
  }

  forget(rows: readonly number[]): void {
    for (const values of this.kept.values()) for (const row of rows) if (row < values.length) values[row] = Number.NaN;
  }
}
