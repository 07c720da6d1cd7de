import { ParsingTurns } from './body-parsers';

const nextTurn = (): Promise<void> => new Promise((done) => void setImmediate(done));

describe('bodies that arrive in a crowd', () => {
  it('are parsed as they come, the large ones no more in a turn of the event loop than others can wait for', async () => {
    const turns = new ParsingTurns();
    const parsed: number[] = [];
    for (let body = 0; body < 12; body += 1) turns.take(60_000, () => parsed.push(body));
    // One more than the turn has, which the next turn pays for.
    expect(parsed).toEqual([0, 1]);
    let most = 0;
    let passed = 0;
    while (parsed.length < 12 && passed < 100) {
      const before = parsed.length;
      await nextTurn();
      most = Math.max(most, parsed.length - before);
      passed += 1;
    }
    expect(parsed).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(most).toBeLessThanOrEqual(2);
    expect(passed).toBeGreaterThanOrEqual(9);
  });

  it('do not wait where they are small', () => {
    const turns = new ParsingTurns();
    const parsed: string[] = [];
    for (const name of ['large', 'larger', 'largest']) turns.take(500_000, () => parsed.push(name));
    turns.take(200, () => parsed.push('small'));
    expect(parsed).toEqual(['large', 'small']);
  });
});
