import { Injectable } from '@nestjs/common';
import { type BoostTemplate, defaultTemplate } from '../ranking/template';

/** What is ranked: a search's words, the category browsed, where the request comes from. Absent: no particular one. */
export interface TemplateContext {
  query?: string | undefined;
  category?: string | undefined;
  source?: string | undefined;
}

/** The boost template a store ranks with, answered from memory. The one place that decides; every store has the default template. */
@Injectable()
export class BoostTemplates {
  of(_storeId: string, _context: TemplateContext = {}): BoostTemplate {
    return defaultTemplate;
  }
}
