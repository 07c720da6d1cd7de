import { type Call, must, type Reply, type StoreClient } from './store-client';

export const segment = encodeURIComponent;

/** Trades the store's keys for a token. */
export function authenticate(client: StoreClient, call: Partial<Call> = {}): Promise<Reply> {
  const { apiKey, secretKey } = client.keys;
  return client.send({ method: 'POST', path: '/authenticate', body: { apiKey, secretKey }, ...call });
}

export async function tokenOf(client: StoreClient): Promise<string> {
  return String(must(await authenticate(client), 200)['access_token']);
}

/** Reads as the developers of the store do, with a token of a moment ago. */
export function inspect(client: StoreClient, token: string, path: string): Promise<Reply> {
  return client.send({ path, headers: { authorization: `Bearer ${token}` } });
}
