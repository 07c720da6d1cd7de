import { Injectable } from '@nestjs/common';
import { type Difference, differences } from '../../ranking/template/merge-patch';
import type { BoostTemplate } from '../../ranking/template/template';
import type { TemplateDocument } from '../../ranking/template/template-document';
import { ApiError } from '../../shared/api-error';
import { Clock } from '../../shared/clock';
import { type Activation, type ActiveTemplate, BoostTemplates, DEFAULT_NAME } from '../boost-templates';
import type { Store } from '../store';
import { StoreErasure } from '../store-erasure';
import { TemplateReplays } from './template-replays';
import { type TemplateHead, type TemplateVersion, TemplateVersions } from './template-versions';

/** A version of a template, and whether it serves. */
export interface ShownVersion extends TemplateVersion {
  active: boolean;
  /** The version of this template that serves; absent: none. */
  activeVersion?: number;
}

/** Which version of which template. `version` absent: the newest. */
export interface WhichTemplate {
  name: string;
  version?: number | undefined;
}

/** Called where a store ranks with another template than before. */
export type ActivationListener = (storeId: string, before: BoostTemplate, after: BoostTemplate) => Promise<void>;

/** Activations that can be gone back through. */
const MOST_ACTIVATIONS = 200;

/** Boost templates as engineers work with them: versions, what serves, and the way back. */
@Injectable()
export class TemplatesService {
  private readonly listeners: ActivationListener[] = [];

  constructor(
    private readonly templates: BoostTemplates,
    private readonly versions: TemplateVersions,
    private readonly replays: TemplateReplays,
    private readonly clock: Clock,
    erasure: StoreErasure,
  ) {
    // The documents go with the other ones of the store.
    erasure.add('templates', async (store) => void templates.forget(store));
  }

  onActivated(listener: ActivationListener): void {
    this.listeners.push(listener);
  }

  list(store: Store): Promise<TemplateHead[]> {
    return this.versions.list(store.id);
  }

  /** Oldest first; the last one serves. Before the first one, the template that comes with the service did. */
  activations(store: Store): Activation[] {
    return this.templates.active(store.id).activations;
  }

  /** What serves: version 0 of `default` is the template that comes with the service. */
  serving(store: Store): { name: string; version: number } {
    const { name, version } = this.activations(store).at(-1) ?? { name: DEFAULT_NAME, version: 0 };
    return { name, version };
  }

  /** Throws 404. */
  async get(store: Store, { name, version }: WhichTemplate): Promise<ShownVersion> {
    return this.shown(store, await this.versions.get(store.id, name, version));
  }

  /** Makes a version; nothing is served with it before it is activated. */
  async put(store: Store, document: TemplateDocument, by: string): Promise<ShownVersion> {
    const { name } = document;
    const keep = new Set(this.activations(store).flatMap((one) => (one.name === name ? one.version : [])));
    return this.shown(store, await this.versions.put(store.id, document, { by, keep }));
  }

  /** What changes from one to the other. `from` absent: from what serves. */
  async diff(
    store: Store,
    to: WhichTemplate,
    from: WhichTemplate = this.serving(store),
  ): Promise<{ from: WhichTemplate; to: WhichTemplate; changes: Difference[] }> {
    const [before, after] = await Promise.all([this.get(store, from), this.get(store, to)]);
    return {
      from: { name: from.name, version: before.version },
      to: { name: to.name, version: after.version },
      changes: differences(compared(before.document), compared(after.document)),
    };
  }

  /** From then on every replica ranks with it. Throws 404, and 409 where the store asks for a replay and this version has none, or a bad one. */
  async activate(
    store: Store,
    { name, version, force }: WhichTemplate & { force: boolean },
    by: string,
  ): Promise<ShownVersion> {
    const wanted = await this.versions.get(store.id, name, version);
    const isAsked = store.settings.requireReplay && !force;
    if (isAsked) await this.replays.assertProven(store.id, name, wanted.version);
    await this.change(store, async ({ activations }) => {
      const serving = activations.at(-1) ?? { name: DEFAULT_NAME, version: 0 };
      if (serving.name === name && serving.version === wanted.version) return null;
      const activation = { name, version: wanted.version, at: new Date(this.clock.now()).toISOString(), by };
      return { activations: [...activations, activation].slice(-MOST_ACTIVATIONS), document: servedDocument(wanted) };
    });
    return this.shown(store, wanted);
  }

  /** Goes back to what was active before. Throws 409 where nothing was. */
  async rollback(store: Store): Promise<ShownVersion> {
    await this.change(store, async ({ activations }) => {
      if (activations.length === 0)
        throw new ApiError('conflict', 'No template was activated: there is nothing to go back to');
      const left = activations.slice(0, -1);
      const before = left.at(-1);
      if (!before) return { activations: left, document: null };
      const { name, version } = before;
      return { activations: left, document: servedDocument(await this.versions.get(store.id, name, version)) };
    });
    return this.get(store, this.serving(store));
  }

  private async change(
    store: Store,
    change: (active: ActiveTemplate) => Promise<ActiveTemplate | null>,
  ): Promise<void> {
    const { before, after } = await this.templates.change(store.id, change);
    for (const listener of this.listeners) await listener(store.id, before, after);
  }

  private shown(store: Store, version: TemplateVersion): ShownVersion {
    const serving = this.serving(store);
    const isServing = serving.name === version.document.name;
    return {
      ...version,
      active: isServing && serving.version === version.version,
      ...(isServing ? { activeVersion: serving.version } : {}),
    };
  }
}

/** The template that comes with the service is not kept, so that it stays the one of the service that runs. */
const servedDocument = ({ version, document }: TemplateVersion): TemplateDocument | null =>
  version === 0 ? null : document;

/** Contexts by their names, and without what ranks nothing. */
function compared({ contexts, name: _name, note: _note, author: _author, ...template }: TemplateDocument): object {
  return {
    ...template,
    contexts: Object.fromEntries(contexts.map(({ name, ...part }, index) => [name, { position: index + 1, ...part }])),
  };
}
