import { type Difference, differences } from '../../../ranking/template/merge-patch';
import type { ImportError, ImportResult } from '../../../jobs/imports/import-report';
import type { Sent } from '../../product/product';
import type { ComparedWrite } from './compare-products';

/** Of each kind so many are shown. */
const MOST = 10;

/** What a dry run shows beside its counts. */
export interface ImportSamples {
  added: { id: string; product: Sent }[];
  changed: { id: string; changes: Difference[] }[];
  removed: string[];
  rejected: ImportError[];
}

/** Some of what an import would do. */
export class SampleCollector {
  private readonly samples: ImportSamples = { added: [], changed: [], removed: [], rejected: [] };

  add(id: string, { outcome, before, after }: ComparedWrite): void {
    const { added, changed } = this.samples;
    if (outcome === 'added' && after && added.length < MOST) added.push({ id, product: after });
    if (outcome === 'changed' && changed.length < MOST) changed.push({ id, changes: differences(before, after) });
    if (outcome === 'removed') this.addGone(id);
  }

  addGone(id: string): void {
    if (this.samples.removed.length < MOST) this.samples.removed.push(id);
  }

  finish({ errors }: ImportResult): ImportSamples {
    return { ...this.samples, rejected: errors.slice(0, MOST) };
  }
}
