import type { AddressLimits, ClickWindows, CountedClick } from '../../src/showcase/links/click-windows';

export interface ClickWindowsSubject {
  windows: ClickWindows;
  close(): Promise<void>;
}

const NOW = Date.UTC(2026, 0, 15, 12);
const HOUR = 3_600_000;
const plenty: AddressLimits = { perMinute: 1000, usersPerHour: 1000, share: 1, floor: 1000, rated: 1000 };

export function describeClickWindowsContract(name: string, makeSubject: () => Promise<ClickWindowsSubject>): void {
  describe(`ClickWindows: ${name}`, () => {
    let subject: ClickWindowsSubject;
    let windows: ClickWindows;

    beforeAll(async () => {
      subject = await makeSubject();
      ({ windows } = subject);
    });
    afterAll(() => subject.close());

    let stores = 0;
    let store: string;
    beforeEach(() => {
      store = `store-${(stores += 1)}`;
    });

    const aClick = (changes: Partial<CountedClick> = {}): CountedClick => {
      return { store, address: 'a', shopper: 'u:ana', campaign: 'verao', product: 'tenis-1', now: NOW, ...changes };
    };
    /** How many of so many clicks are admitted. */
    async function admitted(
      times: number,
      limits: Partial<AddressLimits>,
      changes: (number: number) => Partial<CountedClick>,
    ): Promise<number> {
      let passed = 0;
      for (let number = 0; number < times; number += 1) {
        const admission = await windows.admit(aClick(changes(number)), { ...plenty, ...limits });
        if (admission.admitted) passed += 1;
      }
      return passed;
    }

    test('admits so many clicks a minute from one address, whoever is said to click', async () => {
      const limits = { perMinute: 5 };
      expect(await admitted(9, limits, (number) => ({ shopper: `u:${number}`, campaign: `c-${number}` }))).toBe(5);
      expect(await admitted(3, limits, () => ({ address: 'b' }))).toBe(3);
      expect(await admitted(3, limits, () => ({ now: NOW + 59_999 }))).toBe(0);
      expect(await admitted(9, limits, () => ({ now: NOW + 60_000 }))).toBe(5);
    });

    test('admits so many shoppers an hour from one address, and those as often as they like', async () => {
      const limits = { usersPerHour: 3 };
      expect(await admitted(6, limits, (number) => ({ shopper: `u:${number}` }))).toBe(3);
      expect(await admitted(6, limits, (number) => ({ shopper: `u:${number % 3}` }))).toBe(6);
      expect(await admitted(1, limits, () => ({ shopper: 'u:late' }))).toBe(0);
      expect(await admitted(1, limits, () => ({ shopper: 'u:late', now: NOW + HOUR }))).toBe(1);
    });

    test('admits a share of a campaign’s clicks in an hour, and a few in any case', async () => {
      const limits = { share: 0.25, floor: 3 };
      expect(await admitted(10, limits, () => ({}))).toBe(3);
      expect(await admitted(2, limits, () => ({ campaign: 'inverno' }))).toBe(2);
      // Nine are a quarter of 36.
      expect(await admitted(27, limits, (number) => ({ address: `other-${number}` }))).toBe(27);
      expect(await admitted(20, limits, () => ({}))).toBe(6);
      expect(await admitted(10, limits, () => ({ now: NOW + HOUR }))).toBe(3);
    });

    test('counts nothing of a click it refuses', async () => {
      await admitted(50, { perMinute: 2 }, (number) => ({ shopper: `u:${number}` }));
      expect(await admitted(50, { usersPerHour: 12 }, (number) => ({ shopper: `v:${number}` }))).toBe(10);
    });

    test('gives back what was not billed, but for its minute and its user', async () => {
      const limits = { floor: 2, share: 0.1, rated: 1 };
      for (let times = 0; times < 5; times += 1) {
        expect(await windows.admit(aClick(), { ...plenty, ...limits })).toEqual({ admitted: true, rated: true });
        await windows.giveBack(aClick());
      }
      expect(await admitted(5, limits, () => ({}))).toBe(2);
      expect(await admitted(9, { perMinute: 9 }, () => ({ campaign: 'inverno' }))).toBe(2);
    });

    test('admits exactly the limit of many clicks at once', async () => {
      const admissions = await Promise.all(
        Array.from({ length: 50 }, (_, number) =>
          windows.admit(aClick({ shopper: `u:${number}` }), { ...plenty, usersPerHour: 20 }),
        ),
      );
      expect(admissions.filter((one) => one.admitted)).toHaveLength(20);
    });

    test('rates so many clicks and views of a product from one address on a day', async () => {
      const limits = { ...plenty, rated: 2 };
      const rated = async (changes: Partial<CountedClick> = {}) => (await windows.admit(aClick(changes), limits)).rated;
      expect([await rated(), await rated(), await rated()]).toEqual([true, true, false]);
      expect([await rated({ product: 'tenis-2' }), await rated({ address: 'b' })]).toEqual([true, true]);
      expect(await rated({ now: NOW + 24 * HOUR })).toBe(true);
      const views = [await windows.takeView(aClick(), 2), await windows.takeView(aClick(), 2)];
      expect([...views, await windows.takeView(aClick(), 2)]).toEqual([true, true, false]);
    });

    test('counts each store for itself', async () => {
      expect(await admitted(3, { perMinute: 2 }, () => ({}))).toBe(2);
      expect(await admitted(1, { perMinute: 2 }, () => ({ store: 'neighbour' }))).toBe(1);
    });
  });
}
