/** A generated shop of one language as a table; the shops of all languages sell the same concepts. */
export interface ShopTable {
  language: 'pt' | 'en' | 'es';
  colours: string[];
  /** Whether a name begins with what the product is ("Capa de couro") or ends with it ("Leather case"). */
  headFirst: boolean;
  words: { for: string; by: string; described: string };
  /** What titles and authors of books are made of. */
  titles: string[];
  authors: string[];
  /**
   * concept | path | noun | kinds | group of brands | models | measures | flags; lists with a comma and a space.
   * Flags: `coloured`, `many`, `book`, and `for=<concept>`: an accessory of the products of that concept.
   */
  categories: string;
}

/** A category of the last level. */
export interface Concept {
  key: string;
  path: string;
  noun: string;
  kinds: string[];
  brands: string[];
  models: string[];
  measures: string[];
  coloured: boolean;
  many: boolean;
  isBook: boolean;
  /** The concept this one is an accessory of. */
  device: string | null;
}

/** All made up. */
const BRANDS: Readonly<Record<string, string>> = {
  phones: 'Zentric, Oraluz, Pixeon, Mirante',
  covers: 'Kapsula, Guardex, Firmeza, Bolsor',
  power: 'Voltara, Zentric, Energix',
  computers: 'Novatek, Teclar, Zentric, Bytelar',
  printers: 'Imprima, Jetlar, Papelux',
  screens: 'Telavis, Lumiara, Oraluz',
  sound: 'Sonhara, Ecovox, Pulsar',
  kitchen: 'Ferralia, Casabela, Voltara, Dulcora',
  kitchenware: 'Barroquinha, Tramela, Ferralia',
  appliances: 'Friobel, Lavorel, Casabela',
  coffees: 'Cafezal, Montenero, Altavila',
  bedding: 'Ninhal, Soneca, Plumalia',
  furniture: 'Lumiara, Madeirol, Tramontes',
  tools: 'Ferragem, Brocato, Tornex',
  shoes: 'Andara, Rueira, Veltor, Kizuma',
  wear: 'Linhar, Algodoa, Urbaneza, Flordela',
  watches: 'Horalis, Tiquetex, Zentric',
  beauty: 'Florescer, Amazel, Vivanda',
  foods: 'Vale Doce, Mesa Farta, Quintal',
  wines: 'Altavila, Vinhedo, Serrano',
  toys: 'Tatu Bolinha, Cirandela, Pecinha',
  sports: 'Pedalia, Aquamar, Veltor',
  books: 'Jabuticaba, Farol, Papel Vivo',
};

const list = (text: string): string[] => (text === '' ? [] : text.split(', '));

export function conceptsOf({ categories }: ShopTable): Concept[] {
  return categories
    .trim()
    .split('\n')
    .map((line) => {
      const columns = line.split('|').map((column) => column.trim());
      const [key = '', path = '', noun = '', kinds = '', group = '', models = '', measures = '', flags = ''] = columns;
      const words = flags.split(' ');
      return {
        key,
        path,
        noun,
        kinds: list(kinds),
        brands: list(BRANDS[group] ?? ''),
        models: list(models),
        measures: list(measures),
        coloured: words.includes('coloured'),
        many: words.includes('many'),
        isBook: words.includes('book'),
        device: words.find((word) => word.startsWith('for='))?.slice('for='.length) ?? null,
      };
    });
}
