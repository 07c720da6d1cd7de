import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { CacheInvalidation } from '../../documents/cache-invalidation';
import { Documents } from '../../documents/documents';
import { HeldDocuments } from '../../documents/held-documents';
import { ApiError, type ErrorDetail } from '../../shared/api-error';
import { Clock } from '../../shared/clock';
import type { TemplateDocument } from '../../ranking/template/template-document';
import { StoreErasure } from '../store-erasure';
import { type TemplateVersion, TemplateVersions } from '../templates/template-versions';
import { type Experiment, type ExperimentBody, overlap, type VariantBody } from './experiment';

/** A store keeps so many, ended ones too: each change looks at all of them. */
const MOST_EXPERIMENTS = 200;

/**
 * The experiments of all stores. They are held in memory, so that a search asks nobody; a change is durable before it shows, and is answered
 * when every replica has seen it. At any time at most one experiment of a store acts.
 */
@Injectable()
export class Experiments implements OnModuleInit {
  private readonly held: HeldDocuments<Experiment>;

  constructor(
    documents: Documents,
    invalidation: CacheInvalidation,
    private readonly versions: TemplateVersions,
    private readonly clock: Clock,
    erasure: StoreErasure,
  ) {
    this.held = new HeldDocuments(documents, invalidation, { cache: 'experiments', kind: 'experiment' });
    erasure.add('experiments', async (store) => this.held.forget(store));
  }

  async onModuleInit(): Promise<void> {
    await this.held.open();
  }

  /** By name. An experiment stays the same object until it is changed. */
  of(store: string): ReadonlyMap<string, Experiment> {
    return this.held.of(store);
  }

  list(store: string): Experiment[] {
    return [...this.of(store).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Throws 404. */
  get(store: string, name: string): Experiment {
    const found = this.held.get(store, name);
    if (!found) throw noSuch(name);
    return found;
  }

  /** Makes or replaces one. Throws 400 with the path of each mistake that only the store's other things tell. */
  async put(store: string, name: string, body: ExperimentBody, by: string): Promise<Experiment> {
    const pinned = await this.pinned(store, body.variants);
    return this.held.put(store, name, () => this.made(store, name, { ...body, ...pinned }, by));
  }

  /** Everybody gets the template that serves again. Throws 404. */
  async remove(store: string, name: string): Promise<void> {
    if (!(await this.held.remove(store, name))) throw noSuch(name);
  }

  /** The variants with the versions of their templates, and these templates. */
  private async pinned(store: string, sent: readonly VariantBody[]): Promise<Pinned> {
    const documents: Record<string, TemplateDocument> = {};
    const details: ErrorDetail[] = [];
    const variants: VariantBody[] = [];
    for (const [index, variant] of sent.entries()) {
      const found = await this.template(store, variant);
      variants.push(found && 'version' in found ? { ...variant, version: found.version } : variant);
      if (found && 'version' in found) documents[variant.name] = found.document;
      else if (found) details.push({ path: `variants.${index}.${found.key}`, message: found.message });
    }
    refuse(details);
    return { variants, documents };
  }

  /** Null: the one that serves. Else what is wrong. */
  private async template(
    store: string,
    { template, version }: VariantBody,
  ): Promise<TemplateVersion | { key: string; message: string } | null> {
    if (template === undefined) return null;
    try {
      return await this.versions.get(store, template, version);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
      return { key: version === undefined ? 'template' : 'version', message: error.message };
    }
  }

  private made(store: string, name: string, body: Omit<ExperimentBody, 'variants'> & Pinned, by: string): Experiment {
    const { variants, documents, holdout, from, to } = body;
    const others = this.list(store).filter((other) => other.name !== name);
    refuse(others.filter((other) => overlap(other, body)).map(overlapping));
    if (others.length >= MOST_EXPERIMENTS)
      throw new ApiError('conflict', `A store has at most ${MOST_EXPERIMENTS} experiments: delete one that has ended`);
    const now = new Date(this.clock.now()).toISOString();
    const split = { variants, holdout, documents };
    const before = this.of(store).get(name);
    const splitAt = before && isSameSplit(before, split) ? before.splitAt : now;
    const times = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    return { name, ...split, ...times, splitAt, updatedAt: now, updatedBy: by };
  }
}

const noSuch = (name: string): ApiError => new ApiError('not_found', `There is no experiment "${name}"`);

type Pinned = Pick<Experiment, 'variants' | 'documents'>;
type SplitOf = Pick<Experiment, 'variants' | 'holdout' | 'documents'>;

/** Whether every shopper is ranked as before. What is kept is JSON. */
const isSameSplit = ({ variants, holdout, documents }: SplitOf, after: SplitOf): boolean =>
  isDeepStrictEqual(
    JSON.parse(JSON.stringify({ variants, holdout, documents })),
    JSON.parse(JSON.stringify({ variants: after.variants, holdout: after.holdout, documents: after.documents })),
  );

function overlapping({ name, from, to }: Experiment): ErrorDetail {
  const times = `${from === undefined ? '' : ` from ${from}`}${to === undefined ? ' without an end' : ` until ${to}`}`;
  const message = `"${name}" acts${times}, and of a store's experiments only one may act at any time: give both a from and a to, or delete one`;
  return { path: 'from', message };
}

function refuse(details: ErrorDetail[]): void {
  const [first] = details;
  if (first) throw new ApiError('invalid_body', `${first.path}: ${first.message}`, { details });
}
