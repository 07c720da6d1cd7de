import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ApiError } from '../../http/api-error';
import { validate } from '../../http/validation';
import { ID_RULE, isId } from '../../ids';
import { JobQueue } from '../../jobs/job-queue';
import type { Store } from '../../stores/store';
import { EventIntake } from '../events/event-intake';
import { userKey } from '../shopper';
import { KnownUsers } from './known-users';
import { UserRecords } from './user-records';

/** What was erased of a user. */
export const eraseReceipt = z.object({
  erased: z.object({
    events: z.int(),
    vectors: z.int(),
    links: z.int(),
    searches: z.int(),
    clicks: z.int(),
    jobs: z.int(),
  }),
});
export type EraseReceipt = z.infer<typeof eraseReceipt>;

const MOST_JOBS = 10_000;

const attributesSchema = z
  .record(z.string(), z.unknown(), 'The body has to be a JSON object')
  .refine(({ personalize }) => personalize === undefined || personalize === null || typeof personalize === 'boolean', {
    path: ['personalize'],
    message: 'true or false is due',
  });

/** The user, and the devices seen with them. */
export interface ForgottenUser {
  storeId: string;
  userId: string;
  deviceIds: readonly string[];
}

/** A store's users: what the store says of them, and forgetting them. */
@Injectable()
export class UsersService {
  private readonly listeners: ((user: ForgottenUser) => Promise<void>)[] = [];

  constructor(
    private readonly known: KnownUsers,
    private readonly records: UserRecords,
    private readonly jobs: JobQueue,
    private readonly intake: EventIntake,
  ) {}

  /** Told of every user who was erased or has opted out, so that what was kept of them is used no more. */
  onForgotten(listener: (user: ForgottenUser) => Promise<void>): void {
    this.listeners.push(listener);
  }

  /** Replaces the user's attributes; `personalize: false` opts the user out. */
  async put(store: Store, userId: string, body: unknown): Promise<void> {
    checkId(userId);
    const attributes = Object.entries(validate(attributesSchema, body, 'body')).filter(
      ([field]) => field !== 'apiKey' && field !== 'secretKey',
    );
    await this.known.attributes.put(store.id, userId, Object.fromEntries(attributes));
    if (attributes.some(([field, value]) => field === 'personalize' && value === false)) {
      await this.forgotten({ storeId: store.id, userId, deviceIds: [] });
    }
  }

  /** Everything known of the user. Again: all counts 0. */
  async erase(store: Store, userId: string): Promise<EraseReceipt> {
    checkId(userId);
    const jobs = await this.forgetJobs(store, userId);
    const { events, vectors, links, deviceIds } = await this.records.erase(store, userId);
    await this.known.attributes.remove(store.id, userId);
    await this.intake.forget(store, userId);
    await this.forgotten({ storeId: store.id, userId, deviceIds });
    return { erased: { events, vectors, links, searches: 0, clicks: 0, jobs } };
  }

  private async forgotten(user: ForgottenUser): Promise<void> {
    for (const listener of this.listeners) await listener(user);
  }

  private async forgetJobs(store: Store, userId: string): Promise<number> {
    const jobs = await this.jobs.find({ store: store.id, subject: userKey(userId), limit: MOST_JOBS });
    for (const { id } of jobs) await this.jobs.control(id, 'forget');
    return jobs.length;
  }
}

export function checkId(id: string): void {
  if (!isId(id)) throw new ApiError('invalid_id', `The id of a user is ${ID_RULE}`);
}
