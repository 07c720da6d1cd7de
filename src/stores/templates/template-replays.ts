import { Injectable } from '@nestjs/common';
import { type DocumentKey, Documents } from '../../documents/documents';
import { ApiError } from '../../shared/api-error';

/** The share of nDCG@10 that a template may lose in its replay and still be activated where the store asks for a replay. */
export const MOST_LOSS = 0.02;

/** What a replay found of one version of a template. */
export interface KeptReplay {
  name: string;
  version: number;
  /** Searches that it rests on. */
  used: number;
  /** The share of nDCG@10 that the version loses against what served; below 0: it gains. */
  loss: number;
  report: Readonly<Record<string, unknown>>;
}

export const replayKey = (store: string, name: string, version: number): DocumentKey => ({
  store,
  kind: 'boost-template-replay',
  id: `${name}@${version}`,
});

/** The newest replay of each version of a store's templates. They go with the version, and with the store. */
@Injectable()
export class TemplateReplays {
  constructor(private readonly documents: Documents) {}

  async keep(store: string, replay: KeptReplay): Promise<void> {
    await this.documents.put([{ ...replayKey(store, replay.name, replay.version), body: replay }]);
  }

  async find(store: string, name: string, version: number): Promise<KeptReplay | null> {
    return (await this.documents.get<KeptReplay>(replayKey(store, name, version)))?.body ?? null;
  }

  /** Throws 409 where a version was not replayed, or did worse than it may. */
  async assertProven(store: string, name: string, version: number): Promise<void> {
    const why = whyUnproven(await this.find(store, name, version));
    if (why === null) return;
    throw new ApiError(
      'not_replayed',
      `This store asks for a replay before a template is activated (setting requireReplay): version ${version} of "${name}" ${why}. Replay it, or activate it with force`,
    );
  }
}

/** Null: it may serve. */
export function whyUnproven(replay: Pick<KeptReplay, 'used' | 'loss'> | null): string | null {
  if (!replay) return 'has not been replayed';
  if (replay.used === 0) return 'was replayed where no search could be scored';
  if (replay.loss <= MOST_LOSS) return null;
  const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
  return `loses ${percent(replay.loss)} of nDCG@10 in its replay, and may lose ${percent(MOST_LOSS)}`;
}
