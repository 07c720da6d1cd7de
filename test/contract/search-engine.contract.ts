import type { SearchEngine } from '../../src/engine/search-engine';
import { EngineBench, type ShiftedClock } from '../support/engine-bench';
import { describeAbout } from './search-engine-about.contract';
import { describeAgain } from './search-engine-again.contract';
import { describeExpected } from './search-engine-expected.contract';
import { describeFacets } from './search-engine-facets.contract';
import { describeFinding } from './search-engine-finding.contract';
import { describeOrder } from './search-engine-order.contract';
import { describePrefixes } from './search-engine-prefix.contract';
import { describeRebuild } from './search-engine-rebuild.contract';
import { describeRules } from './search-engine-rules.contract';
import { describeTemplate } from './search-engine-template.contract';
import { describeTime } from './search-engine-time.contract';
import { describeWords } from './search-engine-words.contract';

interface Subject {
  engine: SearchEngine;
  clock: ShiftedClock;
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
      bench = new EngineBench(subject.engine, subject.digits, subject.clock);
    });
    beforeEach(() => bench.nextStore());
    afterAll(() => subject.close());

    describeAbout(() => bench);
    describeAgain(() => bench);
    describeExpected(() => bench);
    describeFinding(() => bench);
    describeFacets(() => bench);
    describeOrder(() => bench);
    describePrefixes(() => bench);
    describeTemplate(() => bench);
    describeRebuild(() => bench);
    describeRules(() => bench);
    describeTime(() => bench);
    describeWords(() => bench);
  });
}
