import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TemplatesService } from '../../stores/templates/templates.service';
import { trendRule } from './learned-models';
import { LearningService } from './learning.service';

/** Learns popularity anew where a store ranks with a template that says another way to. */
@Injectable()
export class LearningOnActivation implements OnModuleInit {
  constructor(
    private readonly templates: TemplatesService,
    private readonly learning: LearningService,
  ) {}

  onModuleInit(): void {
    this.templates.onActivated(async (store, before, after) => {
      if (!isDeepStrictEqual(trendRule(before), trendRule(after))) await this.learning.request(store, { force: true });
    });
  }
}
