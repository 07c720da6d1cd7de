/** A JSON object exactly as the store sent it: fields in order, unknown ones too. */
export type Sent = Readonly<Record<string, unknown>>;

export interface CategoryRef {
  /** The id the store sent, else the label path joined with ` > `, lower-cased and without accents. */
  id: string;
  name: string;
  /** Ids of the levels above, from the top. */
  parents: string[];
}

export interface Sku {
  sku: string;
  available: boolean;
  price: number | null;
  oldPrice: number | null;
  stock: number | null;
  eanCode: string | null;
  name: string | null;
  url: string | null;
  images: Readonly<Record<string, string>> | null;
  installment: { count: number; price: number } | null;
  /** Every value of each name. */
  specs: Readonly<Record<string, string[]>>;
  /** What of the details is text. */
  details: Readonly<Record<string, string[]>>;
  /** Details with objects in them, such as `{ multiplier, unit }`, as they were sent; absent: there are none. */
  structuredDetails?: Sent;
  customBusiness?: unknown;
}

/** A product as it is in one sales channel: the store's record, overrides applied, numbers and shapes made regular. */
export interface Product extends Omit<Sku, 'sku' | 'specs'> {
  id: string;
  name: string;
  url: string;
  description: string;
  brand: string | null;
  price: number;
  /** Always has `default`. */
  images: Readonly<Record<string, string>>;
  categories: CategoryRef[];
  tags: { id: string; name: string; parents: string[] }[];
  specs: Readonly<Record<string, { id: string; label: string; properties?: unknown }[]>>;
  /** Epoch milliseconds; when first received where the store sent none. */
  created: number;
  sold: number | null;
  /** Average and number of ratings, where sent: `rating` is a number or `{ average, count }`. */
  rating: { average: number; count: number } | null;
  /** At least one. */
  skus: Sku[];
}
