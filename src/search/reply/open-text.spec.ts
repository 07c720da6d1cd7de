import { gap, HEAD, OpenText } from './open-text';
import { SharedTexts } from './shared-texts';

describe('a text with gaps', () => {
  const [OTHER, THIRD] = [1, 2];
  const texts = new SharedTexts();
  const value = (id: number, more: object = {}) => ({
    id,
    label: `v${id}`,
    size: id * 1000,
    applyLink: `${gap(HEAD)}d:${id}${gap(OTHER)}`,
    ...more,
  });
  /** Each is what JSON may hold; the labels look like what a text is divided at. */
  const all: object[] = [
    [],
    [value(1)],
    [{ id: 7, values: [value(1, { filters: [value(2), value(3)] }), value(4, { applyLink: gap(THIRD) })] }],
    [{ size: 5, unityId: 3, min: { value: 0.5 }, applyLink: `${gap(HEAD)}c:1` }],
    [value(1, { size: 123_456_789 }), value(2, { size: 12_345_678 }), value(3, { size: 0 })],
    [value(1, { label: '{"id":3,"size":4,"applyLink":"' }), value(2, { label: '"size":9,' })],
    [value(1, { label: 'é ✓ \u0001 "\\\u2028 \ud800' })],
    { size: 3 },
    [{ size: 3 }, { size: 4 }],
    { a: { size: 1.5, b: 1 }, size: -5, b: 'x' },
  ];
  const inGaps = ['/q?a=1&filter=', '&b=2', '/q?a=1'];
  const filled = (text: string, links: readonly string[]): string =>
    links.reduce((filling, link, number) => filling.split(gap(number)).join(link), text);

  test.each(all.map((one) => [JSON.stringify(one)]))('is what it was, with whatever belongs into them: %s', (text) => {
    const packed = OpenText.pack(text, texts);
    for (const links of [inGaps, ['x', '', 'y'], ['"', '$&', '']]) {
      expect(packed.pieces(texts, links).join('')).toBe(filled(text, links));
    }
    packed.letGo(texts);
    expect(texts.bytes).toBe(0);
  });

  test('takes little more memory where others have the same values', () => {
    const many = (sizes: number): string =>
      JSON.stringify(Array.from({ length: 200 }, (_, at) => value(at, { size: at + sizes })));
    const first = OpenText.pack(many(0), texts);
    const shared = texts.bytes;
    const others = [1, 2, 3].map((sizes) => OpenText.pack(many(sizes), texts));
    expect(texts.bytes).toBe(shared);
    for (const one of others) expect(one.bytes * 4).toBeLessThan(many(1).length);
    for (const [at, one] of [first, ...others].entries()) {
      expect(one.pieces(texts, inGaps).join('')).toBe(filled(many(at), inGaps));
      one.letGo(texts);
    }
    expect(texts.bytes).toBe(0);
  });
});
