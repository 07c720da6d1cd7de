import { Injectable } from '@nestjs/common';
import type { TemplateDocument } from '../../ranking/template/template-document';
import type { Store } from '../../stores/store';
import { StoresService } from '../../stores/stores.service';
import { TemplateTunings } from '../../stores/templates/template-tunings';
import { TemplatesService, type WhichTemplate } from '../../stores/templates/templates.service';
import { tuningReport, type TuningReport } from './tuning-report';
import { type TuningState, tuningState } from './tuning-search';

/** Where tuning begins, what it has made, and how far it has come. */
@Injectable()
export class TunedTemplates {
  constructor(
    private readonly stores: StoresService,
    private readonly templates: TemplatesService,
    private readonly tunings: TemplateTunings,
  ) {}

  store(id: string): Store | undefined {
    return this.stores.byId(id);
  }

  serving(store: Store): { name: string; version: number } {
    return this.templates.serving(store);
  }

  async document(store: Store, which: WhichTemplate): Promise<TemplateDocument> {
    return (await this.templates.get(store, which)).document;
  }

  /** Makes a version, which does not serve. */
  async candidate(store: Store, document: TemplateDocument, by: string): Promise<{ name: string; version: number }> {
    const { version } = await this.templates.put(store, document, by);
    return { name: document.name, version };
  }

  /** The report goes with its candidate; the checkpoint is needed no more. */
  async finish(store: Store, jobId: string, report: TuningReport): Promise<void> {
    if (report.template) await this.tunings.keep(store.id, report.template, report);
    await this.tunings.forgetCheckpoint(store.id, jobId);
  }

  /** Throws 404; null: the version was made by somebody. */
  async report(store: Store, which: WhichTemplate): Promise<TuningReport | null> {
    const { version } = await this.templates.get(store, which);
    const kept = await this.tunings.find(store.id, which.name, version);
    return kept && tuningReport.parse(kept);
  }

  async checkpoint(store: Store, jobId: string, state: TuningState): Promise<void> {
    await this.tunings.checkpoint(store.id, jobId, state);
  }

  async resume(store: Store, jobId: string): Promise<TuningState | undefined> {
    const kept = await this.tunings.resume(store.id, jobId);
    return kept ? tuningState.parse(kept) : undefined;
  }
}
