import { PassThrough } from 'node:stream';
import { progressDisplay, progressText } from './progress';

function shownOn(stream: PassThrough & { isTTY?: boolean }, ...done: number[]): string {
  const display = progressDisplay('Indexing', stream);
  for (const each of done) display.show({ done: each, total: 1000, rate: 50, secondsLeft: 10 });
  display.end();
  return String(stream.read() ?? '');
}

describe('progress on the command line', () => {
  test('says as much as is known', () => {
    expect(progressText({ done: 7, total: 0 })).toBe('7');
    expect(progressText({ done: 1200, total: 5000, rate: 300.04, secondsLeft: 12.7 })).toBe(
      '1,200 of 5,000 (24%), 300/s, 13 s left',
    );
    expect(progressText({ done: 5, total: 10, rate: null, secondsLeft: 4000 })).toBe('5 of 10 (50%), 1 h 6 min left');
    expect(progressText({ done: 5, total: 10, secondsLeft: 61 })).toBe('5 of 10 (50%), 1 min 1 s left');
  });

  test('is a bar on a terminal', () => {
    const text = shownOn(Object.assign(new PassThrough(), { isTTY: true }), 0, 500);
    expect(text).toContain('█');
    expect(text).toContain('500 of 1,000 (50%), 50/s, 10 s left');
  });

  test('is a line for each tenth elsewhere', () => {
    expect(shownOn(new PassThrough(), 0, 50, 99, 100, 120, 1000, 1000).split('\n')).toEqual([
      'Indexing 0 of 1,000 (0%), 50/s, 10 s left',
      'Indexing 100 of 1,000 (10%), 50/s, 10 s left',
      'Indexing 1,000 of 1,000 (100%), 50/s, 10 s left',
      '',
    ]);
  });
});
