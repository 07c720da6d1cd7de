import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type DocumentKey, DocumentConflict, Documents } from '../../documents/documents';
import { defaultDocument, type TemplateDocument } from '../../ranking/template/template-document';
import { ApiError } from '../../shared/api-error';
import { retry } from '../../shared/async/retry';
import { Clock } from '../../shared/clock';
import { DEFAULT_NAME } from '../boost-templates';
import { replayKey } from './template-replays';
import { tuningKey } from './template-tunings';

/** A store keeps so many templates, and of each so many versions, the newest ones. */
const MOST_TEMPLATES = 200;
const MOST_VERSIONS = 200;
const CONFLICTS = { times: 10, pauseMs: 20 };

export interface VersionInfo {
  version: number;
  /** Null: it comes with the service. */
  updatedAt: string | null;
  updatedBy: string | null;
  author?: string | undefined;
  note?: string | undefined;
}

export interface TemplateVersion extends VersionInfo {
  document: TemplateDocument;
}

/** A template by its name, without its documents. */
export interface TemplateHead {
  name: string;
  /** Oldest first. */
  versions: VersionInfo[];
}

const headKey = (store: string, name: string): DocumentKey => ({ store, kind: 'boost-template', id: name });
const versionKey = (store: string, name: string, version: number): DocumentKey => ({
  store,
  kind: 'boost-template-version',
  id: `${name}@${version}`,
});

const shipped: TemplateVersion = { version: 0, updatedAt: null, updatedBy: null, document: defaultDocument };

/** Every version of a store's templates. A version never changes; which of them serves is said elsewhere (BoostTemplates). */
@Injectable()
export class TemplateVersions {
  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
  ) {}

  /** In the order of their names; the one that comes with the service is among them. */
  async list(store: string): Promise<TemplateHead[]> {
    const heads = await this.documents.list<TemplateHead>({ kind: 'boost-template', store });
    const known = heads.map(({ body }) => body);
    if (known.every(({ name }) => name !== DEFAULT_NAME)) known.push({ name: DEFAULT_NAME, versions: [] });
    return known.map(withShipped).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Throws 404. */
  async head(store: string, name: string): Promise<TemplateHead> {
    const found = (await this.documents.get<TemplateHead>(headKey(store, name)))?.body;
    if (found) return withShipped(found);
    if (name === DEFAULT_NAME) return withShipped({ name, versions: [] });
    throw new ApiError('not_found', `There is no template "${name}"`);
  }

  /** `version` absent: the newest. Throws 404. */
  async get(store: string, name: string, version?: number): Promise<TemplateVersion> {
    const { versions } = await this.head(store, name);
    const wanted = version ?? versions.at(-1)?.version ?? 0;
    if (wanted === 0 && name === DEFAULT_NAME) return shipped;
    const found = await this.documents.get<TemplateVersion>(versionKey(store, name, wanted));
    if (found) return found.body;
    const kept = versions.map((known) => known.version).join(', ');
    throw new ApiError('not_found', `The template "${name}" has no version ${wanted}; it has ${kept}`);
  }

  /** Makes a version, unless the newest is the same. `keep`: versions that stay although they are old. */
  async put(
    store: string,
    document: TemplateDocument,
    { by, keep }: { by: string; keep: ReadonlySet<number> },
  ): Promise<TemplateVersion> {
    const again = (error: unknown): boolean => error instanceof DocumentConflict;
    return retry(() => this.tryPut(store, document, { by, keep }), { ...CONFLICTS, again });
  }

  private async tryPut(
    store: string,
    document: TemplateDocument,
    { by, keep }: { by: string; keep: ReadonlySet<number> },
  ): Promise<TemplateVersion> {
    const { name, author, note } = document;
    const found = await this.documents.get<TemplateHead>(headKey(store, name));
    if (!found) await this.assertRoom(store);
    const versions = found?.body.versions ?? [];
    const newest = versions.at(-1);
    const before = newest && (await this.get(store, name, newest.version));
    if (before && isDeepStrictEqual(before.document, JSON.parse(JSON.stringify(document)))) return before;
    const updatedAt = new Date(this.clock.now()).toISOString();
    const info: VersionInfo = { version: (newest?.version ?? 0) + 1, updatedAt, updatedBy: by, author, note };
    const old = versions.length >= MOST_VERSIONS ? versions.find(({ version }) => !keep.has(version)) : undefined;
    const head: TemplateHead = { name, versions: [...versions.filter((known) => known !== old), info] };
    await this.documents.put([
      { ...headKey(store, name), body: head, expectedVersion: found?.version ?? 0 },
      { ...versionKey(store, name, info.version), body: { ...info, document } },
    ]);
    if (old) {
      await this.documents.remove(versionKey(store, name, old.version));
      await this.documents.remove(replayKey(store, name, old.version));
      await this.documents.remove(tuningKey(store, name, old.version));
    }
    return { ...info, document };
  }

  private async assertRoom(store: string): Promise<void> {
    const heads = await this.documents.list({ kind: 'boost-template', store });
    if (heads.length < MOST_TEMPLATES) return;
    throw new ApiError('conflict', `A store has at most ${MOST_TEMPLATES} templates: make a version of one of them`);
  }
}

function withShipped(head: TemplateHead): TemplateHead {
  if (head.name !== DEFAULT_NAME) return head;
  const { document: _document, ...info } = shipped;
  return { ...head, versions: [info, ...head.versions] };
}
