import { Injectable } from '@nestjs/common';
import { CompiledTemplate } from '../../ranking/template/template-document';
import { BoostTemplates } from '../../stores/boost-templates';
import type { Store } from '../../stores/store';
import { StoresService } from '../../stores/stores.service';
import { TemplateReplays } from '../../stores/templates/template-replays';
import { TemplatesService } from '../../stores/templates/templates.service';
import { replayReport, type ReplayReport } from './replay-report';

export interface Contenders {
  current: CompiledTemplate;
  candidate: CompiledTemplate;
}

/** What is replayed and against what, and where the report goes. */
@Injectable()
export class ReplayedTemplates {
  constructor(
    private readonly stores: StoresService,
    private readonly serving: BoostTemplates,
    private readonly templates: TemplatesService,
    private readonly replays: TemplateReplays,
  ) {}

  store(id: string): Store | undefined {
    return this.stores.byId(id);
  }

  async version(store: Store, name: string, version: number | undefined): Promise<number> {
    return (await this.templates.get(store, { name, version })).version;
  }

  async contenders(
    store: Store,
    candidate: { name: string; version: number },
  ): Promise<{ contenders: Contenders; against: ReplayReport['against'] }> {
    const against = this.templates.serving(store);
    const current = this.serving.compiled(store.id);
    const { document } = await this.templates.get(store, candidate);
    return { contenders: { current, candidate: new CompiledTemplate(document) }, against };
  }

  async report(store: Store, name: string, version: number): Promise<ReplayReport | null> {
    const kept = await this.replays.find(store.id, name, version);
    return kept && replayReport.parse(kept.report);
  }

  async keep(store: Store, report: ReplayReport): Promise<void> {
    const { template, searches, loss } = report;
    await this.replays.keep(store.id, { ...template, used: searches.used, loss, report });
  }
}
