import { writeWeight } from './write-weight';

describe('the weight of a write', () => {
  const items = (count: number) => ({ items: Array.from({ length: count }, (_, n) => ({ pid: `${n}` })) });

  it('is one for what pages mostly send', () => {
    expect(writeWeight(300, { pid: 'a', userId: 'ana' })).toBe(1);
    expect(writeWeight(1000, items(24))).toBe(1);
    expect(writeWeight(0, undefined)).toBe(1);
  });

  it('grows with every kilobyte, and with entries however short they are', () => {
    expect(writeWeight(1024, {})).toBe(5);
    expect(writeWeight(64 * 1024, {})).toBe(257);
    expect(writeWeight(600, items(25))).toBe(5);
    expect(writeWeight(600, { categories: Array.from({ length: 50 }, String) })).toBe(9);
  });

  it('grows no more where no more is looked up', () => {
    expect(writeWeight(1000, items(500))).toBe(9);
  });
});
