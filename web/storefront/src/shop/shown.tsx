import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';

/** The list that is looked at, as a search can ask for it. */
export interface ShownList {
  terms?: string;
  filter?: readonly string[];
  sortBy?: string;
}

interface Shown {
  list: ShownList;
  show: (list: ShownList) => void;
  /** The product that somebody wants to know about; null: the first one. */
  chosen: { id: string; name: string } | null;
  choose: (product: { id: string; name: string } | null) => void;
  isPanelOpen: boolean;
  openPanel: (open: boolean) => void;
}

const Context = createContext<Shown | null>(null);
/** On a phone the panel would hide the shop. */
const WIDE = '(min-width: 72rem)';

/** What the panel speaks of. `first`: the list before there was one. */
export function ShownProvider({ first, children }: { first: ShownList; children: ReactNode }): ReactNode {
  const [list, setList] = useState(first);
  const [chosen, choose] = useState<Shown['chosen']>(null);
  const [isPanelOpen, openPanel] = useState(() => matchMedia(WIDE).matches);
  const shown = useMemo(() => {
    const show = (next: ShownList): void => {
      setList(next);
      choose(null);
    };
    return { list, show, chosen, choose, isPanelOpen, openPanel };
  }, [list, chosen, isPanelOpen]);
  return <Context.Provider value={shown}>{children}</Context.Provider>;
}

export function useShown(): Shown {
  const shown = useContext(Context);
  if (!shown) throw new Error('There is no ShownProvider');
  return shown;
}

/** Tells the panel which list a page shows. */
export function useShowing(list: ShownList): void {
  const { show } = useShown();
  const key = JSON.stringify(list);
  useEffect(() => {
    show(JSON.parse(key) as ShownList);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each list
  }, [key]);
}
