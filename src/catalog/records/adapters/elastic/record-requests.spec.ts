import {
  channelsRequest,
  countRequest,
  openOperation,
  openRequest,
  readState,
  recordId,
  recordOperation,
  scanRequest,
} from './record-requests';
import type { ProductState, StoredVersion } from '../../record-versions';

const version: StoredVersion = {
  channel: '',
  version: 7,
  receivedAt: 1000,
  firstReceivedAt: 900,
  removed: false,
  sent: { z: 1, a: '10.50' },
};
const state: ProductState = {
  versions: new Map([
    ['', version],
    ['app', { ...version, channel: 'app', version: 9, removed: true }],
  ]),
  named: new Set(['web', 'app']),
};

describe('the requests of records', () => {
  it('an id is the one that earlier versions gave', () => {
    expect(recordId('loja', 'tênis/42 ß')).toBe('zcpNcUAypwY29OGgr9zdPs5HwRzmOOJ_YpwX3FdnaQw');
  });

  it('an id is short, whatever the product is called, and another one in each store', () => {
    const long = '寿'.repeat(256);
    expect(recordId('s', long)).toMatch(/^[\w-]{43}$/);
    expect(recordId('s', long)).not.toBe(recordId('t', long));
    expect(recordId('a', 'b')).not.toBe(recordId('ab', ''));
  });

  it('creates a product, or writes it where it stands as found', () => {
    const body =
      '[{"channel":"","version":7,"receivedAt":1000,"firstReceivedAt":900,"removed":false,"sent":{"z":1,"a":"10.50"}},' +
      '{"channel":"app","version":9,"receivedAt":1000,"firstReceivedAt":900,"removed":true,"sent":{"z":1,"a":"10.50"}}]';
    const document = JSON.stringify({ store: 's', product: 'p', version: 9, channels: ['app', 'web'], body });
    const found = { seqNo: 3, primaryTerm: 1 };
    const operation = { index: 'i', id: recordId('s', 'p'), routing: 's', document };
    expect(recordOperation('i', 's', { productId: 'p', state, found: null })).toEqual({ type: 'create', ...operation });
    expect(recordOperation('i', 's', { productId: 'p', state, found: found })).toEqual({
      type: 'index',
      ...operation,
      expected: found,
    });
    expect(readState({ channels: ['web', 'app'], body })).toEqual(state);
  });

  it('notes what is to be indexed', () => {
    const note = { id: 'open-1', store: 's', products: [['p', 7] as [string, number]], since: 1000 };
    expect(openOperation('i', note)).toEqual({
      type: 'create',
      index: 'i',
      id: 'open-1',
      routing: 's',
      document: '{"store":"s","open":"[[\\"p\\",7]]","openSince":1000}',
    });
  });

  const page = { index: 'i', routing: 's', track_total_hits: false };

  it('scans a page in id order', () => {
    expect(scanRequest('i', 's', { after: 'm', limit: 2 })).toEqual({
      ...page,
      size: 2,
      query: { bool: { filter: [{ term: { store: 's' } }, { range: { product: { gt: 'm' } } }] } },
      sort: [{ product: 'asc' }],
    });
  });

  it('scans what may not be indexed', () => {
    const query = { after: '', limit: 2, newerThan: 5, left: ['a', 'b'] };
    const should = [{ range: { version: { gt: 5 } } }, { terms: { product: ['a', 'b'] } }];
    expect(scanRequest('i', 's', query).query).toEqual({
      bool: {
        filter: [
          { term: { store: 's' } },
          { range: { product: { gt: '' } } },
          { bool: { should, minimum_should_match: 1 } },
        ],
      },
    });
    const newerOnly = scanRequest('i', 's', { ...query, left: [] });
    expect(JSON.stringify(newerOnly.query)).not.toContain('terms');
  });

  it('looks for batches that are open for long', () => {
    expect(openRequest('i', 's', 500)).toEqual({
      ...page,
      size: 1000,
      query: { bool: { filter: [{ term: { store: 's' } }, { range: { openSince: { lt: 500 } } }] } },
      sort: [{ openSince: 'asc' }],
    });
  });

  it('collects channels a page at a time', () => {
    const composite = { size: 1000, sources: [{ channel: { terms: { field: 'channels' } } }] };
    const request = { ...page, size: 0, query: { bool: { filter: [{ term: { store: 's' } }] } } };
    expect(channelsRequest('i', 's')).toEqual({ ...request, aggs: { channels: { composite } } });
    expect(channelsRequest('i', 's', { channel: 'app' })).toEqual({
      ...request,
      aggs: { channels: { composite: { ...composite, after: { channel: 'app' } } } },
    });
  });

  it('counts products', () => {
    expect(countRequest('i', 's')).toEqual({
      index: 'i',
      routing: 's',
      query: { bool: { filter: [{ term: { store: 's' } }, { exists: { field: 'product' } }] } },
    });
  });
});
