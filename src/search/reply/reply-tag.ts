import { weakTag } from '../../http/entity-tag';
import type { SearchParameters } from '../search-parameters';

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

/**
 * The tag is of all but `requestId` and `searchId`, and what names them: a product's `clickUrl` holds the search. What tag and body share
 * becomes JSON once.
 */
export function taggedReply(reply: Record<string, unknown>): TaggedReply {
  const fields: string[] = [];
  const same: string[] = [];
  for (const [name, value] of Object.entries(reply)) {
    const json = JSON.stringify(value) as string | undefined;
    if (json === undefined) continue;
    const field = `${JSON.stringify(name)}:${json}`;
    fields.push(field);
    if (name === 'products') same.push(JSON.stringify(withoutClicks(value)));
    else if (name !== 'requestId' && name !== 'searchId') same.push(field);
  }
  return { text: `{${fields.join(',')}}`, tag: weakTag(same.join()) };
}

const withoutClicks = (products: unknown): object[] =>
  (products as Record<string, unknown>[]).map(({ clickUrl: _clickUrl, ...product }) => product);
