import type { QueryTerms } from '../../src/search/terms/query-terms';

interface Subject {
  terms: QueryTerms;
  /** Writes what is buffered and opens anew. */
  reopen(): Promise<QueryTerms>;
  close(): Promise<void>;
}

/** What every QueryTerms promises. */
export function describeQueryTermsContract(adapter: string, makeSubject: () => Promise<Subject>): void {
  describe(`QueryTerms: ${adapter}`, () => {
    let subject: Subject;

    beforeEach(async () => {
      subject = await makeSubject();
      for (const query of ['Tênis Nike', 'tenis nike', 'bola de tênis', 'mesa']) subject.terms.record('s1', query, 7);
      subject.terms.record('s1', 'nada', 0);
    });
    afterEach(() => subject.close());

    it('offers what was searched and found, the most searched first', async () => {
      const terms = await subject.reopen();
      expect(await terms.matching('s1', '', 10)).toEqual([
        { query: 'tenis nike', size: 7 },
        { query: 'bola de tenis', size: 7 },
        { query: 'mesa', size: 7 },
      ]);
    });

    it('matches the start of any word of a term, whatever its accents', async () => {
      const terms = await subject.reopen();
      const queries = (await terms.matching('s1', 'TÊN', 10)).map(({ query }) => query);
      expect(queries).toEqual(['tenis nike', 'bola de tenis']);
      expect(await terms.matching('s1', 'enis', 10)).toEqual([]);
      expect(await terms.matching('s1', 'ten', 1)).toHaveLength(1);
    });

    it('keeps stores apart and forgets one', async () => {
      const terms = await subject.reopen();
      expect(await terms.matching('s2', '', 10)).toEqual([]);
      await terms.removeStore('s1');
      expect(await terms.matching('s1', '', 10)).toEqual([]);
    });
  });
}
