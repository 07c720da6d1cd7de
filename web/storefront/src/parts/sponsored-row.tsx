import type { MouseEvent, ReactNode } from 'react';
import { Link, productPath } from '../router';
import { type Card, ownAddress, type Placement, sponsored } from '../shop/api';
import { useShopper } from '../shop/shopper';
import { useLoaded } from '../shop/use-loaded';
import { useWords } from '../words';
import { Picture } from './picture';

/** Products that somebody pays for. Nothing at all where there are none: a shop goes on without. */
export function SponsoredRow({ where }: { where: Placement }): ReactNode {
  const words = useWords();
  const { shopper } = useShopper();
  const key = JSON.stringify([where, shopper.ids]);
  const { data } = useLoaded(key, (signal) => sponsored(where, shopper.ids, signal));
  const widget = data?.data[0];
  if (!widget || widget.data.length === 0) return null;
  return (
    <section className="row sponsored" aria-labelledby="sponsored" data-vitrine-px={ownAddress(widget.px)}>
      <h2 id="sponsored">{words.sponsored}</h2>
      <ul>
        {widget.data.map((card) => (
          <li key={card.id} data-vitrine-px={ownAddress(card.px)}>
            <SponsoredCard card={card} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The link counts the click and leads on to the product's page, also in another tab. Here the page is shown at once, and the click is counted beside it. */
function SponsoredCard({ card: { id, link, title, imageLink, salePrice, brand } }: { card: Card }): ReactNode {
  const count = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    void fetch(`${ownAddress(link)}&redirect=0`, { keepalive: true }).catch(() => undefined);
  };
  return (
    <Link to={productPath(id)} href={ownAddress(link)} className="small-card" onClick={count}>
      <Picture address={imageLink} size={160} />
      <span className="brand">{brand}</span>
      <span className="name">
        <bdi>{title}</bdi>
      </span>
      <strong>{salePrice.formattedValue}</strong>
    </Link>
  );
}
