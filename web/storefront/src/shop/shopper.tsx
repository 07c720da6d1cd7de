import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { Ids } from './api';
import { randomId, storage } from './storage';
import { follow } from './tracker';

export interface Shopper {
  /** `ana`, `bruno`, `nobody` or `you`. */
  key: string;
  /** Empty: nobody is known. */
  ids: Ids;
}

const CHOSEN = 'demo:shopper';
const OWN_DEVICE = 'demo:device';

/** This browser's own id, which nobody can guess. */
function ownDevice(): string {
  const id = storage.get(OWN_DEVICE) ?? randomId();
  storage.set(OWN_DEVICE, id);
  return id;
}

export function shopperOf(key: string): Shopper {
  if (key === 'nobody') return { key, ids: {} };
  return key === 'you' ? { key, ids: { deviceId: ownDevice() } } : { key, ids: { userId: key } };
}

function followed({ key, ids }: Shopper): Parameters<typeof follow>[0] {
  if (ids.userId !== undefined) return { userId: ids.userId, deviceId: `device-of-${key}` };
  return ids.deviceId === undefined ? null : { deviceId: ids.deviceId };
}

interface Choice {
  shopper: Shopper;
  /** Who may be chosen. */
  keys: readonly string[];
  choose: (key: string) => void;
}

const Context = createContext<Choice | null>(null);

/** Who looks at the shop; others can be chosen, so that one person sees what several see. `known`: shoppers of the demo world. */
export function ShopperProvider({ known, children }: { known: readonly string[]; children: ReactNode }): ReactNode {
  const keys = useMemo(() => [...known, 'you', 'nobody'], [known]);
  const [shopper, setShopper] = useState(() => {
    const before = storage.get(CHOSEN) ?? '';
    const first = shopperOf(keys.includes(before) ? before : (keys[0] ?? 'nobody'));
    follow(followed(first));
    return first;
  });
  const choice = useMemo(() => {
    const choose = (key: string): void => {
      const next = shopperOf(key);
      follow(followed(next));
      storage.set(CHOSEN, key);
      setShopper(next);
    };
    return { shopper, keys, choose };
  }, [shopper, keys]);
  return <Context.Provider value={choice}>{children}</Context.Provider>;
}

export function useShopper(): Choice {
  const choice = useContext(Context);
  if (!choice) throw new Error('There is no ShopperProvider');
  return choice;
}
