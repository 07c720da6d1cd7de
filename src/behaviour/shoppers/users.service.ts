import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ApiError } from '../../shared/api-error';
import { validate } from '../../http/validation';
import { ID_RULE, isId } from '../../shared/ids';
import type { Store } from '../../stores/store';
import { EventIntake } from '../events/event-intake';
import { type EraseReceipt, PersonalData } from './personal-data';
import { UserAttributes } from './user-attributes';
import { UserJobs } from './user-jobs';
import { UserRecords } from './user-records';

const attributesSchema = z
  .record(z.string(), z.unknown(), 'The body has to be a JSON object')
  .refine(({ personalize }) => personalize === undefined || personalize === null || typeof personalize === 'boolean', {
    path: ['personalize'],
    message: 'Expected true or false',
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
    private readonly attributes: UserAttributes,
    private readonly records: UserRecords,
    private readonly intake: EventIntake,
    private readonly personal: PersonalData,
    jobs: UserJobs,
  ) {
    // Jobs first: one that runs meanwhile would make a vector anew.
    personal.add(jobs);
    personal.add(records);
  }

  /** Told of every user who was erased or has opted out, so that what was kept of them is used no more. */
  onForgotten(listener: (user: ForgottenUser) => Promise<void>): void {
    this.listeners.push(listener);
  }

  /** Replaces the user's attributes; `personalize: false` opts the user out. */
  async put(store: Store, userId: string, body: unknown): Promise<void> {
    checkId(userId);
    const { apiKey: _apiKey, secretKey: _secretKey, ...attributes } = validate(attributesSchema, body, 'body');
    await this.attributes.put(store.id, userId, attributes);
    if (attributes['personalize'] === false) await this.forgotten({ storeId: store.id, userId, deviceIds: [] });
  }

  /** Everything known of the user. Again: all counts 0. */
  async erase(store: Store, userId: string): Promise<EraseReceipt> {
    checkId(userId);
    const person = await this.records.person(store, userId);
    const receipt = await this.personal.erase(person);
    const { deviceIds } = person;
    await this.intake.forget(store, [{ userId, deviceId: null }, ...deviceIds.map(deviceAlone)]);
    await this.forgotten({ storeId: store.id, userId, deviceIds });
    return receipt;
  }

  /** Everything known of the user, as NDJSON. */
  async export(store: Store, userId: string): Promise<AsyncIterable<string>> {
    checkId(userId);
    return this.personal.export(await this.records.person(store, userId));
  }

  private async forgotten(user: ForgottenUser): Promise<void> {
    for (const listener of this.listeners) await listener(user);
  }
}

const deviceAlone = (deviceId: string): { userId: null; deviceId: string } => ({ userId: null, deviceId });

export function checkId(id: string): void {
  if (!isId(id)) throw new ApiError('invalid_id', `The id of a shopper is ${ID_RULE}`);
}
