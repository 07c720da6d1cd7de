/** How units are written, normalised, with what they are converted to and how many of it they are. */
export const SPELLED: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  'ml mls mililitro mililitros milliliter milliliters': ['ml', 1],
  cl: ['ml', 10],
  'l lt lts litro litros litre litres liter liters': ['ml', 1000],
  mg: ['g', 0.001],
  'g gr grs grama gramas gramo gramos gram grams': ['g', 1],
  'kg kgs quilo quilos kilo kilos kilogramo kilogramos kilogram kilograms': ['g', 1000],
  'lb lbs libra libras pound pounds': ['lb', 1],
  oz: ['oz', 1],
  mm: ['mm', 1],
  'cm cms centimetro centimetros centimeter centimeters': ['mm', 10],
  'm mt mts metro metros meter meters metre metres': ['mm', 1000],
  'pol polegada polegadas pulgada pulgadas in inch inches': ['mm', 25.4],
  'ft foot feet': ['mm', 304.8],
  mb: ['mb', 1],
  'gb giga gigas': ['gb', 1],
  tb: ['gb', 1024],
  'w watt watts': ['w', 1],
  kw: ['w', 1000],
  'v volt volts': ['v', 1],
  mah: ['mah', 1],
  hz: ['hz', 1],
  mhz: ['mhz', 1],
  ghz: ['mhz', 1000],
  'btu btus': ['btu', 1],
  mp: ['mp', 1],
  rpm: ['rpm', 1],
};
/** Units as signs. Two primes come of one sign when text is normalised. */
export const INCHES = ['"', '”', '“', '′′', "''"];
export const FEET = ["'", '’', '′'];
