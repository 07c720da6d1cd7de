import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Link } from '../router';
import { useShop } from '../shop/shop-view';
import { useShopper } from '../shop/shopper';
import { useShown } from '../shop/shown';
import { useWords } from '../words';
import { Learned } from './learned';
import { TwoShoppers } from './two-shoppers';
import { type Freshness, useFreshness } from './use-freshness';
import { Why } from './why';

const OF_EACH = 5;
/** Pixels of the button that stays above what is scrolled. */
const BESIDE_BUTTON = 64;

/** What the shop does behind what shoppers see. It can be folded away. */
export function Panel(): ReactNode {
  const words = useWords();
  const { isPanelOpen, openPanel, chosen } = useShown();
  const panel = useRef<HTMLElement>(null);
  useAnswerInSight(panel, isPanelOpen && chosen ? chosen.id : null);
  return (
    <aside ref={panel} className={isPanelOpen ? 'panel open' : 'panel'} aria-label={words.panel}>
      <div className="fold-bar">
        <button
          type="button"
          className="fold"
          aria-expanded={isPanelOpen}
          aria-controls="behind"
          onClick={() => openPanel(!isPanelOpen)}
        >
          {isPanelOpen ? words.closePanel : words.openPanel}
        </button>
      </div>
      <div id="behind" hidden={!isPanelOpen}>
        {isPanelOpen && <Inside />}
      </div>
    </aside>
  );
}

/**
 * Whoever asks about a product sees the answer, and not what stands above it, also where that comes later. Once they scroll by themselves it is
 * left to them. The page itself stays where it is.
 */
function useAnswerInSight(panel: RefObject<HTMLElement | null>, askedAbout: string | null): void {
  useEffect(() => {
    const box = panel.current;
    const content = box?.lastElementChild;
    if (askedAbout === null || !box || !content) return undefined;
    const align = (): void => {
      const answer = box.querySelector<HTMLElement>('.why-here');
      if (answer) box.scrollTo({ top: answer.offsetTop - BESIDE_BUTTON });
    };
    align();
    const growth = new ResizeObserver(align);
    growth.observe(content);
    const stop = (): void => growth.disconnect();
    const touched = new AbortController();
    for (const event of ['wheel', 'pointerdown', 'keydown']) {
      box.addEventListener(event, stop, { passive: true, signal: touched.signal });
    }
    return () => {
      stop();
      touched.abort();
    };
  }, [panel, askedAbout]);
}

function Inside(): ReactNode {
  const words = useWords();
  const shop = useShop();
  const { shopper } = useShopper();
  const { list } = useShown();
  const { freshness, heard } = useFreshness(shopper);
  const terms = list.terms ?? shop.query;
  return (
    <>
      <section aria-labelledby="fresh">
        <h2 id="fresh">{words.fresh}</h2>
        <Fresh freshness={freshness} />
      </section>
      <section aria-labelledby="learned" className="learned">
        <h2 id="learned">
          {words.learned} <small>{words.learnedOf(words.shoppers[shopper.key] ?? shopper.key)}</small>
        </h2>
        <Learned shopper={shopper} heard={heard} />
      </section>
      <section aria-labelledby="why" className="why-here">
        <h2 id="why">{words.whyHere}</h2>
        <Why shopper={shopper} heard={heard} />
      </section>
      <section aria-labelledby="two">
        <h2 id="two">{words.two}</h2>
        <p className="hint">
          <bdi>“{terms}”</bdi> · <Link to={`/compare?${new URLSearchParams({ q: terms })}`}>{words.larger}</Link>
        </p>
        <TwoShoppers list={{ terms }} most={OF_EACH} heard={heard} />
      </section>
    </>
  );
}

function Fresh({ freshness }: { freshness: Freshness | null }): ReactNode {
  const words = useWords();
  if (!freshness) return <p className="hint">{words.freshHint}</p>;
  const { event, ms, moved, of } = freshness;
  const became = moved > 0 ? words.moved(moved, of) : words.same;
  return (
    <div role="status">
      {ms !== null && <p className="fresh-ms">{words.freshIn(ms)}</p>}
      <p className="hint">
        {words.events[event] ?? event}: {ms === null ? words.unmoved : became}
      </p>
    </div>
  );
}
