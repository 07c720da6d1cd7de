import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { remembered } from './remembered';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

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
    lengths('a'.repeat(65));
    expect(lengths('a'.repeat(65))).toBe(65);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('keeps nothing of the texts that its words were cut from', () => {
    const words = remembered(1000, (word) => word.slice(0, -1));
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let text = 0; text < 200; text++) {
      const long = `palavracomprida${text}-${'descrição '.repeat(10_000)}`;
      words(long.slice(0, long.indexOf('-')));
    }
    collect();
    // Whole texts would be 20 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
  });
});
