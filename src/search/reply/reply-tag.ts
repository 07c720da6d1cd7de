import { weakTag } from '../../http/entity-tag';
import type { SearchParameters } from '../search-parameters';
import { fieldsOf, joined } from './json-part';

/** Whose behaviour ranks a reply. */
export type Shopper = Pick<SearchParameters, 'personalize' | 'userId' | 'deviceId'>;

/** Whether everybody who asks the same gets the same: nobody's behaviour ranks the reply (contract 3). */
export function isForEveryone({ personalize, userId, deviceId }: Shopper): boolean {
  return personalize === false || (userId === undefined && deviceId === undefined);
}

/** A reply as JSON, and its tag. */
export interface TaggedReply {
  text: string;
  tag: string;
}

const OF_ONE_REPLY: ReadonlySet<string> = new Set(['requestId', 'searchId']);

/** The tag is of all but `requestId` and `searchId`, and what names them: a product's `clickUrl` holds the search. */
export function taggedReply(reply: Readonly<Record<string, unknown>>): TaggedReply {
  const fields = fieldsOf(reply);
  const same = fields.flatMap(({ name, part }) => (OF_ONE_REPLY.has(name) ? [] : [name, part.same()]));
  return { text: joined(fields), tag: weakTag(same.join('\n')) };
}
