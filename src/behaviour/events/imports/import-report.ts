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

/** Of a million bad lines the first ones say it all. */
const MOST_ERRORS = 1000;

export class ImportReport {
  private readonly result: ImportResult = { accepted: 0, unchanged: 0, removed: 0, rejected: 0, errors: [] };

  accept(): void {
    this.result.accepted += 1;
  }

  repeat(): void {
    this.result.unchanged += 1;
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
