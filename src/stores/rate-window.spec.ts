import { addressKey, RateWindow } from './rate-window';

describe('a window of a minute', () => {
  test('lets so many pass, says how long to wait, and begins anew', () => {
    const window = new RateWindow();
    expect([1, 2, 3].map(() => window.take('a', 2, 10_000))).toEqual([0, 0, 60]);
    expect(window.take('a', 2, 39_500)).toBe(31);
    expect(window.take('b', 2, 39_500)).toBe(0);
    expect(window.take('a', 2, 70_000)).toBe(0);
  });

  test('a flood of keys costs no memory: the ones used last are held', () => {
    const window = new RateWindow(2);
    window.take('a', 1, 0);
    window.take('b', 1, 0);
    window.take('c', 1, 0);
    expect(window.take('c', 1, 0)).toBeGreaterThan(0);
    expect(window.take('a', 1, 0)).toBe(0);
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::7', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('the address %s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
