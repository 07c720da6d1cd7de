import { Injectable } from '@nestjs/common';
import { StoreErasure } from '../stores/store-erasure';
import { EventLog } from './events/event-log';
import { ImportFiles } from '../jobs/imports/import-files';
import { LearnedStats } from './learning/learned-stats';
import { ProfileStore } from './profiles/profile-store';

/** Removes all of behaviour with its store, but for profile attributes and the state of learning: those are documents. */
@Injectable()
export class StoreRemoval {
  constructor(
    log: EventLog,
    profiles: ProfileStore,
    learned: LearnedStats,
    uploads: ImportFiles,
    erasure: StoreErasure,
  ) {
    erasure.add('uploads', (store) => uploads.removeStore(store));
    erasure.add('behaviour', async (store) => {
      const events = await log.removeStore(store);
      await profiles.removeStore(store);
      await learned.removeStore(store);
      return events;
    });
  }
}
