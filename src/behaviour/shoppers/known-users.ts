import { Injectable } from '@nestjs/common';
import { UserAttributes } from './user-attributes';
import { UserHashes } from './user-hashes';

/** What is known of a store's users beside what they do. */
@Injectable()
export class KnownUsers {
  constructor(
    readonly attributes: UserAttributes,
    readonly hashes: UserHashes,
  ) {}
}
