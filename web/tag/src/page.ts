import type { WithEvents } from './events';
import { Markup } from './markup';
import { Results } from './results';

/** Milliseconds in which changes of the page are looked at together. */
const TOGETHER_MS = 50;

/** Calls when the address changed: a link of a single-page app, or the way back. */
function onNavigation(changed: () => void): void {
  const address = (): string => location.pathname + location.search;
  let now = address();
  const compare = (): void => {
    if (address() === now) return;
    now = address();
    changed();
  };
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name];
    history[name] = function (...given) {
      original.apply(history, given);
      compare();
    };
  }
  addEventListener('popstate', compare);
}

/** Looks at what the page holds, now and whenever it changes. */
export function watchPage({ withEvents, markup }: { withEvents: WithEvents; markup: boolean }): void {
  const parts = [new Results(withEvents), ...(markup ? [new Markup(withEvents)] : [])];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    timer = undefined;
    for (const part of parts) part.look();
  };
  const soon = (): void => {
    timer ??= setTimeout(look, TOGETHER_MS);
  };
  onNavigation(() => {
    withEvents((events) => events.newPage());
    soon();
  });
  new MutationObserver(soon).observe(document, { childList: true, characterData: true, subtree: true });
  look();
}
