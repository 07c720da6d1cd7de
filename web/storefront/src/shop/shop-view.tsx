import { createContext, type ReactNode, useContext, useMemo } from 'react';

/** What the demo shop says of itself (docs/storefront.md). */
export interface ShopView {
  /** False: it is being made, and there is nothing else yet. */
  isReady: boolean;
  name: string;
  locale: string;
  currency: string;
  /** What to search first. */
  query: string;
  shoppers: string[];
}

interface Shop extends ShopView {
  money: (amount: number) => string;
}

const Context = createContext<Shop | null>(null);

export function ShopViewProvider({ view, children }: { view: ShopView; children: ReactNode }): ReactNode {
  const shop = useMemo(() => {
    const format = new Intl.NumberFormat(view.locale, { style: 'currency', currency: view.currency });
    return { ...view, money: (amount: number) => format.format(amount) };
  }, [view]);
  return <Context.Provider value={shop}>{children}</Context.Provider>;
}

export function useShop(): Shop {
  const shop = useContext(Context);
  if (!shop) throw new Error('There is no ShopViewProvider');
  return shop;
}
