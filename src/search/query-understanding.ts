import { Injectable } from '@nestjs/common';
import { understand, type LookUp, type Understood } from '../engine/plan/understand';
import { understandBeginning, type UnderstoodBeginning } from '../engine/plan/understand-beginning';
import type { Synonyms } from '../engine/plan/synonyms';
import { SearchEngine } from '../engine/search-engine';
import type { Store } from '../stores/store';
import { Merchandising } from './merchandising/merchandising.service';
import { QuerySubjects } from './subjects/query-subjects';
import { synonymsOf } from './merchandising/store-synonyms';

/** A shopper's words, understood by what a store has in its index and by its synonyms, wherever they are typed. */
@Injectable()
export class QueryUnderstanding {
  constructor(
    private readonly engine: SearchEngine,
    private readonly merchandising: Merchandising,
    private readonly subjects: QuerySubjects,
  ) {}

  /** `until`: as `performance.now()`. */
  async whole(store: Store, terms: string, until?: number): Promise<Understood> {
    const { synonyms, lookUp } = this.of(store, until);
    const understood = synonyms.expand(await understand({ terms, language: store.settings.language }, lookUp));
    const chosen = await this.subjects.of(store.id, understood.normalized);
    return chosen.length > 0 ? { ...understood, match: { ...understood.match, chosen } } : understood;
  }

  /** What is being typed: the last word may go on. */
  async beginning(store: Store, terms: string, until?: number): Promise<UnderstoodBeginning> {
    const { synonyms, lookUp } = this.of(store, until);
    const understood = await understandBeginning({ terms, language: store.settings.language }, lookUp);
    return { ...understood, match: synonyms.expand(understood).match };
  }

  private of(store: Store, until: number | undefined): { synonyms: Synonyms; lookUp: LookUp } {
    const synonyms = synonymsOf(store, this.merchandising.of(store.id, 'synonyms'));
    return { synonyms, lookUp: synonyms.knowing((words) => this.engine.words(store.id, { words, until })) };
  }
}
