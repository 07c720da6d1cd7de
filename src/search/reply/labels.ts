import { primaryLanguage } from '../../engine/analysis/stems';
import type { FacetKind } from '../../engine/facets';
import type { SortBy } from '../../engine/plan/sorts';

/** What replies call things, in the languages of stores; others are answered in English. */
interface Labels {
  facets: Readonly<Record<Exclude<FacetKind, `${string}.${string}`>, string>>;
  available: string;
  unavailable: string;
  sorts: Readonly<Record<SortBy, string>>;
}

const en: Labels = {
  facets: {
    category: 'Category',
    brand: 'Brand',
    price: 'Price',
    tag: 'Tag',
    availability: 'Availability',
    discount: 'Discount',
  },
  available: 'Available',
  unavailable: 'Unavailable',
  sorts: {
    relevance: 'Relevance',
    pid: 'Product id',
    ascPrice: 'Lowest price',
    descPrice: 'Highest price',
    descDate: 'Newest',
    ascSold: 'Least sold',
    descSold: 'Best selling',
    ascReview: 'Lowest rated',
    descReview: 'Best rated',
    descDiscount: 'Biggest discount',
  },
};

const pt: Labels = {
  facets: {
    category: 'Categoria',
    brand: 'Marca',
    price: 'Preço',
    tag: 'Tag',
    availability: 'Disponibilidade',
    discount: 'Desconto',
  },
  available: 'Disponível',
  unavailable: 'Indisponível',
  sorts: {
    relevance: 'Relevância',
    pid: 'Código do produto',
    ascPrice: 'Menor preço',
    descPrice: 'Maior preço',
    descDate: 'Mais recentes',
    ascSold: 'Menos vendidos',
    descSold: 'Mais vendidos',
    ascReview: 'Menor avaliação',
    descReview: 'Melhor avaliação',
    descDiscount: 'Maior desconto',
  },
};

const es: Labels = {
  facets: {
    category: 'Categoría',
    brand: 'Marca',
    price: 'Precio',
    tag: 'Etiqueta',
    availability: 'Disponibilidad',
    discount: 'Descuento',
  },
  available: 'Disponible',
  unavailable: 'No disponible',
  sorts: {
    relevance: 'Relevancia',
    pid: 'Código del producto',
    ascPrice: 'Menor precio',
    descPrice: 'Mayor precio',
    descDate: 'Más recientes',
    ascSold: 'Menos vendidos',
    descSold: 'Más vendidos',
    ascReview: 'Peor valorados',
    descReview: 'Mejor valorados',
    descDiscount: 'Mayor descuento',
  },
};

const languages: Readonly<Record<string, Labels>> = { en, es, pt };

/** `language`: a BCP 47 tag. */
export const labelsIn = (language: string): Labels => languages[primaryLanguage(language)] ?? en;
