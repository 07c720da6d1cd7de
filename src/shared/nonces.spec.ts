import { Nonces } from './nonces';

test('each is of the length that was asked for, and none comes twice, however many are drawn', () => {
  const nonces = new Nonces(12);
  const drawn = Array.from({ length: 20_000 }, () => nonces.next().toString('hex'));
  expect(new Set(drawn).size).toBe(20_000);
  expect(drawn.filter((nonce) => nonce.length !== 24)).toEqual([]);
});

test('what was drawn stays as it is when the next ones are drawn', () => {
  const nonces = new Nonces(12);
  const first = nonces.next();
  const before = first.toString('hex');
  for (let more = 0; more < 2000; more++) nonces.next();
  expect(first.toString('hex')).toBe(before);
});
