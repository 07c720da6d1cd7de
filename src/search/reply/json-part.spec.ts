import { jsonOf, JsonPart } from './json-part';
import { taggedReply } from './reply-tag';

describe('a reply of parts that are JSON already', () => {
  const reply = { a: 'x', gone: undefined, list: [{ b: 1 }, { b: 2 }], none: [], part: { c: null } };
  const inParts = { ...reply, list: reply.list.map((one) => JsonPart.of(one)), part: JsonPart.of(reply.part) };

  test('is what it would be without them', () => {
    expect(jsonOf(inParts)).toBe(JSON.stringify(reply));
  });

  test('is right wherever it is made JSON', () => {
    expect(JSON.stringify(inParts)).toBe(JSON.stringify(reply));
  });

  test('has the same tag, whatever names it alone', () => {
    const of = (named: object) => taggedReply({ ...named, ...inParts });
    const [one, two] = [of({ requestId: '1', searchId: 'x' }), of({ requestId: '2', searchId: 'y' })];
    expect([one.tag === two.tag, one.text === two.text]).toEqual([true, false]);
    const others = [{ a: 'y' }, { list: [JsonPart.of({ b: 1 })] }, { part: JsonPart.of({ c: 1 }) }, { none: [1] }];
    const tags = [{}, ...others].map((change) => taggedReply({ ...inParts, ...change }).tag);
    expect([tags[0], new Set(tags).size]).toEqual([one.tag, tags.length]);
    expect(one.text).toBe(JSON.stringify({ requestId: '1', searchId: 'x', ...reply }));
  });

  test('leaves out of the tag what a part leaves out', () => {
    const tagOf = (link: string) => taggedReply({ list: [new JsonPart(['{"b":"', link, '"}'], () => '{"b":""}')] }).tag;
    expect(tagOf('1')).toBe(tagOf('2'));
  });
});
