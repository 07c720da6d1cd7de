import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useSyncExternalStore } from 'react';

/** Where the service serves these pages. */
const BASE = '/demo';

const listeners = new Set<() => void>();
const tellAll = (): void => listeners.forEach((listener) => listener());
addEventListener('popstate', tellAll);

export function onNavigation(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** `path`: below the base, with its query. */
export const addressOf = (path: string): string => `${BASE}${path}`;

export function navigate(path: string, { replace = false } = {}): void {
  const address = addressOf(path);
  if (address === location.pathname + location.search) return;
  const isOther = location.pathname !== address.split('?')[0];
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  if (isOther) scrollTo(0, 0);
  tellAll();
}

interface Place {
  /** The levels of the path, decoded: `['category', 'Moda']`. */
  levels: string[];
  query: URLSearchParams;
}

export const place = (): Place => ({
  levels: location.pathname.slice(BASE.length).split('/').filter(Boolean).map(decoded),
  query: new URLSearchParams(location.search),
});

function decoded(level: string): string {
  try {
    return decodeURIComponent(level);
  } catch {
    return level;
  }
}

/** Renders again when the address has changed. */
export function usePlace(): Place {
  useSyncExternalStore(onNavigation, () => location.pathname + location.search);
  return place();
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: string;
  children: ReactNode;
}

const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** An address of this shop, which is opened without loading the page again. */
export function Link({ to, onClick, children, ...rest }: LinkProps): ReactNode {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    navigate(to);
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  };
  return (
    <a href={addressOf(to)} onClick={follow} {...rest}>
      {children}
    </a>
  );
}

export const searchPath = (query: string): string => `/search?${new URLSearchParams({ q: query })}`;
export const categoryPath = (levels: readonly string[]): string =>
  `/category/${levels.map(encodeURIComponent).join('/')}`;
export const productPath = (id: string): string => `/products/${encodeURIComponent(id)}`;
