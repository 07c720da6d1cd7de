import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useShopper } from './shopper';
import { storage } from './storage';
import { send } from './tracker';

export interface CartLine {
  id: string;
  name: string;
  price: number;
  image: string;
  quantity: number;
}

interface Cart {
  lines: readonly CartLine[];
  count: number;
  total: number;
  add: (line: Omit<CartLine, 'quantity'>) => void;
  /** 0 takes it out. */
  change: (id: string, quantity: number) => void;
  /** Sends the order, empties the cart and answers the order's id. */
  buy: (orderId: string) => void;
}

const Context = createContext<Cart | null>(null);
const MOST_OF_ONE = 99;

const nameOf = (shopper: string): string => `demo:cart:${shopper}`;

function read(shopper: string): CartLine[] {
  try {
    return JSON.parse(storage.get(nameOf(shopper)) ?? '[]') as CartLine[];
  } catch {
    return [];
  }
}

const itemsOf = (lines: readonly CartLine[]): object[] =>
  lines.map(({ id, price, quantity }) => ({ pid: id, price, quantity }));

const totalOf = (lines: readonly CartLine[]): number =>
  Number(lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0).toFixed(2));

/** What the shopper is about to buy; each shopper has their own. */
export function CartProvider({ children }: { children: ReactNode }): ReactNode {
  const { key } = useShopper().shopper;
  const [own, setOwn] = useState(() => ({ key, lines: read(key) }));
  const lines = own.key === key ? own.lines : read(key);
  const cart = useMemo((): Cart => {
    const keep = (next: CartLine[]): void => {
      storage.set(nameOf(key), JSON.stringify(next));
      setOwn({ key, lines: next });
    };
    const put = (next: CartLine[]): void => {
      keep(next);
      send({ name: 'cart', items: itemsOf(next) });
    };
    return {
      lines,
      count: lines.reduce((sum, { quantity }) => sum + quantity, 0),
      total: totalOf(lines),
      add: (line) => {
        const quantity = (lines.find(({ id }) => id === line.id)?.quantity ?? 0) + 1;
        put([...lines.filter(({ id }) => id !== line.id), { ...line, quantity: Math.min(quantity, MOST_OF_ONE) }]);
      },
      change: (id, quantity) =>
        put(lines.flatMap((line) => (line.id !== id ? [line] : quantity > 0 ? [{ ...line, quantity }] : []))),
      buy: (orderId) => {
        send({ name: 'transaction', id: orderId, items: itemsOf(lines), total: totalOf(lines) });
        keep([]);
      },
    };
  }, [key, lines]);
  return <Context.Provider value={cart}>{children}</Context.Provider>;
}

export function useCart(): Cart {
  const cart = useContext(Context);
  if (!cart) throw new Error('There is no CartProvider');
  return cart;
}
