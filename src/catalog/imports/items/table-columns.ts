/** The fields of a product, and what shops call their columns; compared without case, accents, spaces and the like. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  id: ['product id', 'productid', 'codigo', 'código', 'cod'],
  name: ['title', 'nome', 'nombre', 'titulo', 'product name'],
  url: ['link', 'product url', 'endereço'],
  price: ['preço', 'precio', 'valor'],
  oldPrice: ['list price', 'preço de', 'precio anterior'],
  image: ['image link', 'image url', 'imagem', 'imagen', 'images.default'],
  categories: ['category', 'categoria', 'categorias', 'categoría', 'product type'],
  status: ['availability', 'disponibilidade', 'disponibilidad'],
  description: ['descrição', 'descripción'],
  brand: ['marca'],
  stock: ['quantity', 'estoque', 'existencias'],
  eanCode: ['ean', 'gtin', 'ean code'],
  tags: [],
  created: [],
  sold: [],
  rating: [],
  salesChannel: [],
  skus: [],
  specs: [],
  details: [],
  images: [],
  installment: [],
  customBusiness: [],
  salesChannels: [],
};

/** A name as it is compared. */
export const bare = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .replaceAll(/[\s_-]/g, '')
    .toLowerCase();

/** By the bare name of a column: the field it is. `said`: by field the column, as the request names it. */
export function columnNames(said: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [field, others] of Object.entries(COLUMNS)) {
    for (const name of [field, ...others]) if (!names.has(bare(name))) names.set(bare(name), field);
  }
  for (const [field, column] of Object.entries(said)) {
    for (const [name, known] of names) if (known === field) names.delete(name);
    names.set(bare(column), field);
  }
  return names;
}
