import { CoordinateSearch, searchState } from './coordinate-search';

/** A staircase with its top at `top`, as nDCG is one: small moves change nothing. */
const stairs =
  (top: readonly number[]) =>
  (point: readonly number[]): number =>
    point.reduce((sum, own, index) => sum - Math.round(40 * (own - (top[index] ?? 0)) ** 2 * 10) / 10, 0);

function searched(search: CoordinateSearch, value: (point: readonly number[]) => number, trials: number): void {
  while (search.state.trials < trials) search.tell(value(search.ask()));
}

describe('a search where each trial is dear', () => {
  const top = [0.9, 0.1, 0.55, 0, 1, 0.3];
  const start = top.map(() => 0.2);

  test('finds the top of a staircase, from far away and within bounds', () => {
    const search = CoordinateSearch.begin(start, 3);
    const asked: (readonly number[])[] = [];
    searched(
      search,
      (point) => {
        asked.push(point);
        return stairs(top)(point);
      },
      200,
    );
    expect(stairs(top)(start)).toBeLessThan(-30);
    expect(stairs(top)(search.best)).toBeGreaterThan(-0.5);
    expect(asked.flat().every((own) => own >= 0 && own <= 1)).toBe(true);
    expect(asked[0]).toEqual(start);
  });

  test('the same seed asks the same points, another one others once chance decides', () => {
    const asked = (seed: number): string[] => {
      const points: string[] = [];
      const value = stairs(top);
      searched(CoordinateSearch.begin(start, seed), (point) => (points.push(point.join()), value(point)), 120);
      return points;
    };
    expect(asked(7)).toEqual(asked(7));
    expect(asked(8)).not.toEqual(asked(7));
    expect(asked(8).slice(0, 6)).toEqual(asked(7).slice(0, 6));
  });

  test('goes on from what was kept as if it had not been stopped', () => {
    const whole = CoordinateSearch.begin(start, 5);
    searched(whole, stairs(top), 150);
    for (const stopped of [1, 6, 37, 90]) {
      const begun = CoordinateSearch.begin(start, 5);
      searched(begun, stairs(top), stopped);
      const again = new CoordinateSearch(searchState.parse(JSON.parse(JSON.stringify(begun.state))));
      searched(again, stairs(top), 150);
      expect(again.state).toEqual(whole.state);
    }
  });

  test('leaves a hill for a higher one near by, and never loses the best point', () => {
    const hills = ([x = 0, y = 0]: readonly number[]): number =>
      Math.max(1 - 40 * ((x - 0.3) ** 2 + (y - 0.3) ** 2), 2 - 90 * ((x - 0.45) ** 2 + (y - 0.45) ** 2));
    const search = CoordinateSearch.begin([0.3, 0.3], 2);
    let highest = -Infinity;
    searched(
      search,
      (point) => {
        const value = hills(point);
        highest = Math.max(highest, value);
        return value;
      },
      400,
    );
    expect(search.state.best?.value).toBeCloseTo(highest, 5);
    expect(highest).toBeGreaterThan(1.5);
  });

  test('where nothing is to be changed, there is one point', () => {
    const search = CoordinateSearch.begin([], 1);
    searched(search, () => 1, 5);
    expect(search.best).toEqual([]);
  });
});
