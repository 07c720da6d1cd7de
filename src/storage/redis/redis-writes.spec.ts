import { RedisWrites, refusalOf } from './redis-writes';

const answer = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' });

describe('what Redis refuses', () => {
  test.each([
    ["OOM command not allowed when used memory > 'maxmemory'.", /maxmemory/],
    ['ERR Error running script (call to f_1): @user_script:1: -OOM command not allowed', /maxmemory/],
    ['MISCONF Redis is configured to save RDB snapshots', /disk/],
    ['NOREPLICAS Not enough good replicas to write.', /replicas/],
  ])('%s', (message, saying) => {
    expect(refusalOf(answer(message))).toMatch(saying);
  });

  test('nothing else is a refusal of writes', () => {
    expect(refusalOf(answer('WRONGTYPE Operation against a key'))).toBeNull();
    expect(refusalOf(new Error('OOM in this process'))).toBeNull();
  });
});

describe('whether Redis takes writes', () => {
  const writes = new RedisWrites();
  const told: (string | null)[] = [];

  test('is told when it changes, and not at every refusal', () => {
    writes.onChange((refusal) => told.push(refusal));
    writes.refused('full', 10_000);
    writes.refused('full', 10_500);
    expect([writes.refusal, told]).toEqual(['full', ['full']]);
  });

  test('is told at once to who asks late', () => {
    const late: (string | null)[] = [];
    writes.onChange((refusal) => late.push(refusal));
    expect(late).toEqual(['full']);
  });

  test('begins again once nothing was refused for a while', () => {
    writes.taken(11_000);
    writes.refused('full', 12_000);
    writes.taken(13_000);
    expect(told).toEqual(['full']);
    writes.taken(14_500);
    expect([writes.refusal, told]).toEqual([null, ['full', null]]);
  });
});
