import type { Product } from '../catalog/product/product';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const STYLE = `body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#1b2430;background:#f5f6f8}
main{max-width:60rem;margin:3rem auto;padding:2rem;display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:3rem;
background:#fff;border-radius:16px;box-shadow:0 2px 24px #1b243014}
img{width:100%;border-radius:12px}h1{font-size:1.6rem;line-height:1.25;margin:.25rem 0}.quiet{color:#5b6675;margin:0}
.price{font-size:1.8rem;font-weight:650;margin:1rem 0 0}s{font-size:1rem;font-weight:400;color:#5b6675}
ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.5rem}li{border:1px solid #d5dae1;border-radius:8px;padding:.25rem .75rem}
@media(max-width:42rem){main{grid-template-columns:1fr;margin:0;border-radius:0}}`;

/** Where a click in the demo shop lands: one product, plainly. */
export function productPage(product: Product, money: Intl.NumberFormat): string {
  const { name, brand, price, oldPrice, installment, images, categories, description, specs, available } = product;
  const trail = categories.map((category) => category.name).join(' › ');
  const choices = Object.values(specs).flatMap((values) => values.map(({ label }) => `<li>${escape(label)}</li>`));
  const before = oldPrice === null ? '' : ` <s>${money.format(oldPrice)}</s>`;
  const parts =
    installment && installment.count > 1 ? `${installment.count}x de ${money.format(installment.price)}` : '';
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(name)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<img src="${escape(images['default'] ?? '')}" alt="${escape(name)}">
<section>
<p class="quiet">${escape(trail)}</p>
<h1>${escape(name)}</h1>
<p class="quiet">${escape(brand ?? '')}${available ? '' : ' · indisponível'}</p>
<p class="price">${money.format(price)}${before}</p>
<p class="quiet">${parts}</p>
<ul>${choices.join('')}</ul>
<p>${escape(description)}</p>
</section>
</main>
</body>
</html>
`;
}
