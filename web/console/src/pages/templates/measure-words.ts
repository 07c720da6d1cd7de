import { defineWords } from '../../app/language.tsx';

/** What experiments measure, and why a replay leaves searches out; each under the name that the API has for it. */
export const measureWords = defineWords({
  en: {
    ctr: 'Share of a shopper’s searches with a click (CTR)',
    addToCart: 'Shoppers who put something into the cart',
    conversion: 'Shoppers who ordered',
    revenue: 'Revenue of a shopper',
    bot: 'of robots',
    listing: 'category pages and hotsites',
    no_outcome: 'nothing followed',
    not_found: 'what was taken is far down or gone',
    sampled_out: 'beyond the sample',
    ndcg: 'near 1: what was clicked, put into carts and bought stands first',
    mrr: '1: what was taken first stands first; 0.5: second',
  },
  pt: {
    ctr: 'Parte das buscas de um cliente com clique (CTR)',
    addToCart: 'Clientes que puseram algo no carrinho',
    conversion: 'Clientes que pediram',
    revenue: 'Receita de um cliente',
    bot: 'de robôs',
    listing: 'páginas de categoria e hotsites',
    no_outcome: 'nada se seguiu',
    not_found: 'o que se levou está longe ou não existe mais',
    sampled_out: 'fora da amostra',
    ndcg: 'perto de 1: o que foi clicado, posto no carrinho e comprado vem primeiro',
    mrr: '1: o que se levou vem primeiro; 0,5: em segundo',
  },
  es: {
    ctr: 'Parte de las búsquedas de un cliente con clic (CTR)',
    addToCart: 'Clientes que pusieron algo en el carrito',
    conversion: 'Clientes que pidieron',
    revenue: 'Ingresos de un cliente',
    bot: 'de robots',
    listing: 'páginas de categoría y hotsites',
    no_outcome: 'nada siguió',
    not_found: 'lo que se tomó está lejos o ya no existe',
    sampled_out: 'fuera de la muestra',
    ndcg: 'cerca de 1: lo que se pulsó, se puso en el carrito y se compró va primero',
    mrr: '1: lo que se tomó va primero; 0,5: segundo',
  },
});
