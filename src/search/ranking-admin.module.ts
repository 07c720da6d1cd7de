import { Module } from '@nestjs/common';
import { ExperimentReports } from './experiments/experiment-reports';
import { ExperimentsController } from './experiments/experiments.controller';
import { PastOrders } from './replay/past-orders';
import { ReplayController } from './replay/replay.controller';
import { ReplayedSearches } from './replay/replayed-searches';
import { ReplayedTemplates } from './replay/replayed-templates';
import { TemplateReplayer } from './replay/template-replayer';
import { TemplatePreview } from './templates/template-preview';
import { TemplateSchemaController } from './templates/template-schema.controller';
import { TemplatesController } from './templates/templates.controller';
import { FoundSearches } from './tuning/found-searches';
import { TemplateTuner } from './tuning/template-tuner';
import { TunedTemplates } from './tuning/tuned-templates';
import { TuningController } from './tuning/tuning.controller';
import { JudgedFinds } from './tuning/tuning-parts';
import { Absence } from './why/absence';
import { WhyController } from './why/why.controller';
import { WhyService } from './why/why.service';

/** What engineers see and change of ranking: boost templates, how they are tried and tuned, experiments over them, and why a product ranks where it does. Needs SearchModule and StoresModule. */
@Module({
  controllers: [
    TuningController,
    TemplatesController,
    ReplayController,
    TemplateSchemaController,
    ExperimentsController,
    WhyController,
  ],
  providers: [
    TemplatePreview,
    PastOrders,
    ReplayedSearches,
    ReplayedTemplates,
    TemplateReplayer,
    FoundSearches,
    JudgedFinds,
    TunedTemplates,
    TemplateTuner,
    ExperimentReports,
    Absence,
    WhyService,
  ],
  exports: [Absence],
})
export class RankingAdminModule {}
