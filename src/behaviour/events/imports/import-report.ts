export interface ImportError {
  line: number;
  error: string;
  message: string;
}

/** What became of an import (contract section 8). `unchanged`: events that were there already. */
export interface ImportResult {
  accepted: number;
  unchanged: number;
  removed: number;
  rejected: number;
  errors: ImportError[];
}

/** A report that names every bad line of a large file helps nobody. */
const MOST_ERRORS = 1000;

export class ImportReport {
  private readonly result: ImportResult = { accepted: 0, unchanged: 0, removed: 0, rejected: 0, errors: [] };

  count(outcome: 'accepted' | 'unchanged'): void {
    this.result[outcome] += 1;
  }

  reject(error: ImportError): void {
    this.result.rejected += 1;
    if (this.result.errors.length < MOST_ERRORS) this.result.errors.push(error);
  }

  finish(): ImportResult {
    this.result.errors.sort((a, b) => a.line - b.line);
    return this.result;
  }
}
