import type { WithEvents } from './events';

/** Half of it has to be seen. */
const SEEN = 0.5;

/** Sends what a shopper does with marked results: clicks (`data-vitrine-click`, `data-vitrine-cart`) and views (`data-vitrine-px`). */
export class Results {
  private readonly known = new WeakSet<Element>();
  private readonly observer: IntersectionObserver;

  constructor(private readonly withEvents: WithEvents) {
    this.observer = new IntersectionObserver((entries) => entries.forEach((entry) => this.seen(entry)), {
      threshold: SEEN,
    });
    const clicked = ({ target }: Event): void => {
      const element = target as Element;
      const marked = element.closest?.<HTMLElement>('[data-vitrine-cart],[data-vitrine-click]');
      if (!marked) return;
      const { vitrineCart, vitrineClick } = marked.dataset;
      const searchId = marked.closest<HTMLElement>('[data-vitrine-search]')?.dataset['vitrineSearch'];
      withEvents((events) => {
        if (searchId) events.follow(searchId);
        if (vitrineCart) events.searchClick(vitrineCart, 'ADD_TO_CART');
        else if (vitrineClick) events.searchClick(vitrineClick, 'PRODUCT_VIEW');
      });
    };
    // Before the page's own handlers, which may stop it. A middle click opens it, too.
    addEventListener('click', clicked, true);
    addEventListener('auxclick', (event) => (event.button === 1 ? clicked(event) : undefined), true);
  }

  look(): void {
    for (const element of document.querySelectorAll('[data-vitrine-px]')) {
      if (this.known.has(element)) continue;
      this.known.add(element);
      this.observer.observe(element);
    }
  }

  private seen({ isIntersecting, target }: IntersectionObserverEntry): void {
    const address = (target as HTMLElement).dataset['vitrinePx'];
    if (!isIntersecting || !address) return;
    this.observer.unobserve(target);
    this.withEvents(() => {
      new Image().src = address;
    });
  }
}
