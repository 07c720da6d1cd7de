import { Anchor, type AnchorProps } from '@mantine/core';
import { type MouseEvent, type ReactNode, useSyncExternalStore } from 'react';

const BASE = '/console';
const MOVED = 'vitrine:moved';
/** In place of a store where there is none yet. */
export const NO_STORE = '-';

export interface Route {
  /** Empty: the address names none. */
  store: string;
  page: string;
  /** What stands behind the page: `/console/demo/jobs/17` has `17`. */
  rest: readonly string[];
  query: URLSearchParams;
}

/** `/console/<store>/<page>/...`, with every part encoded. */
export function addressOf(store: string, page: string, ...rest: readonly string[]): string {
  return [BASE, ...[store || NO_STORE, page, ...rest].map(encodeURIComponent)].join('/');
}

/** Goes there without loading the page again. `replace`: going back leads to what was before. */
export function navigate(address: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  dispatchEvent(new Event(MOVED));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener);
  addEventListener(MOVED, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(MOVED, listener);
  };
}

/** Where the page is; whoever asks is drawn again when that changes. */
export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => `${location.pathname}${location.search}`);
  const [path = '', query = ''] = address.split('?', 2);
  const [store = '', page = '', ...rest] = path
    .slice(BASE.length + 1)
    .split('/')
    .map(decoded);
  return { store, page, rest: rest.filter((part) => part !== ''), query: new URLSearchParams(query) };
}

/** For what looks like a link and leads inside: a click with a key or another button is left to the browser. */
export function leadsTo(address: string): { href: string; onClick(event: MouseEvent<HTMLElement>): void } {
  return {
    href: address,
    onClick: (event) => {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      navigate(address);
    },
  };
}

export function Link({ to, children, ...rest }: AnchorProps & { to: string; children: ReactNode }) {
  return (
    <Anchor underline="always" {...rest} {...leadsTo(to)}>
      {children}
    </Anchor>
  );
}
