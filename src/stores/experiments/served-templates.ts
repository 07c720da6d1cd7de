import { Injectable, Logger } from '@nestjs/common';
import { CONTROL, groupOf, HOLDOUT } from '../../ranking/experiments/assignment';
import {
  CompiledTemplate,
  templateBodySchema,
  templateDocument,
  type TemplateDocument,
} from '../../ranking/template/template-document';
import { BoostTemplates } from '../boost-templates';
import { type Experiment, stateOf } from './experiment';
import { Experiments } from './experiments.service';

/** Which part of which experiment a shopper is in: a variant, `control` or `holdout`. */
export interface InExperiment {
  experiment: string;
  name: string;
}

export interface ServedTemplate {
  compiled: CompiledTemplate;
  /** Null: in none. */
  variant: InExperiment | null;
  /** Of an interleaved variant: what the shopper's lists are dealt from beside `compiled`, which is the template of the store. */
  rival?: CompiledTemplate;
}

/** What a shopper is ranked with: the template of the store, or that of their variant where an experiment acts. */
@Injectable()
export class ServedTemplates {
  private readonly logger = new Logger('ServedTemplates');
  private readonly compiled = new WeakMap<Experiment, Map<string, CompiledTemplate>>();

  constructor(
    private readonly templates: BoostTemplates,
    private readonly experiments: Experiments,
  ) {}

  /** `shopper`: `u:<id>` or `d:<id>`. Null: nobody knows who asks, and they are in no experiment. */
  to(store: string, shopper: string | null, now: number): ServedTemplate {
    const serving = this.templates.compiled(store);
    const experiment = shopper === null ? undefined : this.acting(store, now);
    if (!experiment || shopper === null) return { compiled: serving, variant: null };
    const name = groupOf({ store, experiment: experiment.name, shopper }, experiment);
    const variant = { experiment: experiment.name, name };
    if (name === HOLDOUT || name === CONTROL) return { compiled: serving, variant };
    const { strength, interleave } = experiment.variants.find((one) => one.name === name) ?? {};
    const own = this.templatesOf(store, experiment).get(name) ?? serving;
    const compiled = strength === undefined ? own : own.withStrength(strength);
    return interleave ? { compiled: serving, variant, rival: compiled } : { compiled, variant };
  }

  private acting(store: string, now: number): Experiment | undefined {
    for (const experiment of this.experiments.of(store).values())
      if (stateOf(experiment, now) === 'running') return experiment;
    return undefined;
  }

  /** The templates of the variants that have one of their own. Each is made once. */
  private templatesOf(store: string, experiment: Experiment): Map<string, CompiledTemplate> {
    const known = this.compiled.get(experiment);
    if (known) return known;
    const made = new Map<string, CompiledTemplate>();
    for (const [name, document] of Object.entries(experiment.documents)) {
      const compiled = this.compile(store, document);
      if (compiled) made.set(name, compiled);
    }
    this.compiled.set(experiment, made);
    return made;
  }

  /** Read with the schema: what a later version of the service has added gets its default. */
  private compile(store: string, document: TemplateDocument): CompiledTemplate | null {
    const { data, error } = templateBodySchema.safeParse(document);
    if (data) return new CompiledTemplate(templateDocument(data));
    this.logger.error(
      `A variant of store ${store} gets the template that serves: its own, "${document.name}", can't be read: ${error.message}`,
    );
    return null;
  }
}
