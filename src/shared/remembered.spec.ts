import { remembered } from './remembered';

describe('a remembered function', () => {
  it('is asked once for each text', () => {
    const asked = jest.fn((text: string) => [text]);
    const lengths = remembered(10, asked);
    expect(lengths('um')).toBe(lengths('um'));
    expect(lengths('dois')).toEqual(['dois']);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('never holds more than it may', () => {
    const asked = jest.fn((text: string) => text.length);
    const lengths = remembered(2, asked);
    for (const text of ['a', 'b', 'c', 'c', 'a']) lengths(text);
    expect(asked.mock.calls.flat()).toEqual(['a', 'b', 'c', 'a']);
  });

  it('keeps no long texts', () => {
    const asked = jest.fn((text: string) => text.length);
    const lengths = remembered(2, asked);
    lengths('a'.repeat(201));
    expect(lengths('a'.repeat(201))).toBe(201);
    expect(asked).toHaveBeenCalledTimes(2);
  });
});
