export interface ImportError {
  line: number;
  id?: string;
  error: string;
  message: string;
  /** How the line begins. */
  text?: string;
}

/** What became of an import (contract section 8). `unchanged`: what was there already. */
export interface ImportResult {
  accepted: number;
  unchanged: number;
  removed: number;
  rejected: number;
  /** The first ones. */
  errors: ImportError[];
}

/** A report that names every bad line of a large file helps nobody. */
const MOST_ERRORS = 1000;

/** Counts what becomes of an import. `before`: what it had counted when it was interrupted. */
export class ImportReport {
  private readonly result: ImportResult;

  constructor(before?: ImportResult) {
    this.result = before
      ? { ...before, errors: [...before.errors] }
      : { accepted: 0, unchanged: 0, removed: 0, rejected: 0, errors: [] };
  }

  count(outcome: 'accepted' | 'unchanged' | 'removed', by = 1): void {
    this.result[outcome] += by;
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
