import type { SearchEngine } from '../../src/engine/search-engine';
import { EngineBench } from '../support/engine-bench';
import { describeFinding } from './search-engine-finding.contract';
import { describeOrder } from './search-engine-order.contract';
import { describeRebuild } from './search-engine-rebuild.contract';
import { describeTime } from './search-engine-time.contract';

interface Subject {
  engine: SearchEngine;
  /** Decimal places its scores hold: by default those of a double. */
  digits?: number;
  close(): Promise<void>;
}

/** What every SearchEngine promises. */
export function describeSearchEngineContract(adapter: string, makeSubject: () => Promise<Subject>): void {
  describe(`SearchEngine: ${adapter}`, () => {
    let subject: Subject;
    let bench: EngineBench;

    beforeAll(async () => {
      subject = await makeSubject();
      bench = new EngineBench(subject.engine, subject.digits);
    });
    beforeEach(() => bench.nextStore());
    afterAll(() => subject.close());

    describeFinding(() => bench);
    describeOrder(() => bench);
    describeRebuild(() => bench);
    describeTime(() => bench);
  });
}
