import { Admission, type AdmissionOptions, type Applicant, type Refusal } from '../../src/shared/async/admission';

const OPTIONS = { targetMs: () => 1000, longestWaitMs: 100, aTurn: 100 };

/** Work that ends when it is told to. */
export function admissionUnder({ slots = 4, ...options }: Partial<AdmissionOptions> & { slots?: number } = {}) {
  const refused: Refusal[] = [];
  const atOnce = { first: slots, least: slots, most: slots };
  const admission = new Admission({ ...OPTIONS, atOnce, ...options, refused: (reason) => refused.push(reason) });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = async (name: string, applicant: Partial<Applicant> = {}): Promise<string> => {
    const whose: Applicant = { names: [name.charAt(0), name], until: performance.now() + 5000, ...applicant };
    try {
      return await admission.run(whose, async () => {
        begun.push(name);
        await new Promise<void>((end) => ends.push(end));
        return name;
      });
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  };
  const turns = () => new Promise((done) => setImmediate(done));
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await turns();
  };
  return { admission, begun, refused, ask, end };
}
