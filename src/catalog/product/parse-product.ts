import { ApiError } from '../../shared/api-error';
import { ID_RULE } from '../../shared/ids';
import { validate } from '../../http/validation';
import type { RecordWrite } from '../records/catalog-records';
import { isRemoval } from './channel-view';
import type { Sent } from './product';
import { idSchema, productSchema, removalSchema } from './product-schema';

/** The product id of a route. */
export function parseId(id: string): string {
  if (idSchema.safeParse(id).success) return id;
  throw new ApiError('invalid_id', `A product id is ${ID_RULE}`);
}

/** A product as sent -> the write it asks for. `routeId`: the id of the route, which a body may leave out. */
export function parseProduct(value: unknown, context: { receivedAt: number; routeId?: string }): RecordWrite {
  const product = validate(productSchema, value, 'body');
  const { receivedAt, routeId } = context;
  if (routeId !== undefined && product.id != null && product.id !== routeId) {
    throw invalid('id', `the body's id "${product.id}" is not the one of the address, "${routeId}"`);
  }
  const productId = routeId ?? product.id;
  if (productId == null) throw invalid('id', 'Required: an id of 1 to 256 characters');
  const sent = withoutKeys(value as Sent);
  return { productId, channel: product.salesChannel ?? null, sent: isRemoval(sent) ? null : sent, receivedAt };
}

/** A removal; the sales channel may stand in the query or in the body. */
export function parseRemoval(
  productId: string,
  { query, body, receivedAt }: { query: unknown; body: unknown; receivedAt: number },
): RecordWrite {
  const inQuery = validate(removalSchema, query, 'query').salesChannel ?? null;
  const inBody = body == null ? null : (validate(removalSchema, body, 'body').salesChannel ?? null);
  if (inQuery !== null && inBody !== null && inQuery !== inBody) {
    throw invalid('salesChannel', 'the query and the body name different sales channels');
  }
  return { productId: parseId(productId), channel: inQuery ?? inBody, sent: null, receivedAt };
}

/** Keys may come in the body; they are no part of the record. */
function withoutKeys(sent: Sent): Sent {
  if (!Object.hasOwn(sent, 'apiKey') && !Object.hasOwn(sent, 'secretKey')) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'apiKey' && name !== 'secretKey'));
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('invalid_body', `${path}: ${message}`, { details: [{ path, message }] });
}
