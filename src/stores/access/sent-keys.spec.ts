import { ApiError } from '../../shared/api-error';
import { readKeys } from './sent-keys';

const request = (sent: { headers?: object; query?: unknown; body?: unknown }) =>
  ({ headers: {}, query: {}, body: undefined, ...sent }) as Parameters<typeof readKeys>[0];
const keys = { apiKey: 'loja', secretKey: 'secret' };

describe('the keys of a request', () => {
  it('stand in the query, whatever else is asked there', () => {
    expect(readKeys(request({ query: { ...keys, pipe: '1' } }), 'query')).toEqual(keys);
  });

  it('stand in no stream, and not in a body that is no object', () => {
    for (const body of [{ ...keys, pipe: () => undefined }, [keys], 'apiKey', null, undefined]) {
      expect(readKeys(request({ body }), 'body')).toEqual({ apiKey: undefined, secretKey: undefined });
    }
  });

  it('may be sent twice, once more encoded, but not differently', () => {
    const headers = { 'x-api-key': 'lo ja' };
    expect(readKeys(request({ headers, query: { apiKey: ['', 'lo%20ja'] } }), 'query').apiKey).toBe('lo ja');
    expect(() => readKeys(request({ headers, query: { apiKey: ['lo ja', 'other'] } }), 'query')).toThrow(ApiError);
  });
});
