import type { Language } from '../../app/language.tsx';

type Hints = Readonly<Record<string, string>>;

const PT = {
  strength: '0: a mesma ordem para todos; 100: tudo o que se sabe de um cliente',
  maxBoost: 'Por quanto, no máximo, o comportamento multiplica uma pontuação',
  maxQuality: 'A popularidade multiplica uma pontuação no máximo por isto, e no mínimo pelo inverso',
  maxShare: 'No máximo esta parte dos 24 primeiros produtos é de uma marca; vazio: sem limite',
  'about.step': 'O que fica a um produto por passo atrás do que se pediu; 1: desligado',
  'interest.weight': 'Vezes a importância de categorias e marcas; 0: desligado',
  'signals.trend.exponent': 'O fator é a popularidade elevada a isto; 0: desligado',
  'signals.rating.weight': 'O que o sinal soma no máximo',
  'signals.freshness.weight': 'O que o sinal soma no máximo',
  'signals.availability.unavailable': 'O fator de um produto que não pode ser comprado',
  'signals.discount.weight': 'O que o sinal soma no máximo',
  importance: 'Pelo que a afinidade é multiplicada; 0: desligada',
} satisfies Hints;

const ES: Readonly<Record<keyof typeof PT, string>> = {
  strength: '0: el mismo orden para todos; 100: todo lo que se sabe de un cliente',
  maxBoost: 'Por cuánto, como máximo, multiplica el comportamiento una puntuación',
  maxQuality: 'La popularidad multiplica una puntuación por esto como máximo, y por su inverso como mínimo',
  maxShare: 'Como máximo esta parte de los 24 primeros productos es de una marca; vacío: sin límite',
  'about.step': 'Lo que le queda a un producto por cada paso detrás de lo que se pidió; 1: desactivado',
  'interest.weight': 'Veces la importancia de categorías y marcas; 0: desactivado',
  'signals.trend.exponent': 'El factor es la popularidad elevada a esto; 0: desactivado',
  'signals.rating.weight': 'Lo que la señal suma como máximo',
  'signals.freshness.weight': 'Lo que la señal suma como máximo',
  'signals.availability.unavailable': 'El factor de un producto que no se puede comprar',
  'signals.discount.weight': 'Lo que la señal suma como máximo',
  importance: 'Por lo que se multiplica la afinidad; 0: desactivada',
};

const HINTS: Readonly<Partial<Record<Language, Hints>>> = { pt: PT, es: ES };

/** What a field of the form does, in the page's language; the schema says it in English. */
export function hintIn(language: Language, path: string, inSchema: string | undefined): string | undefined {
  const key = /^affinities\..*\.importance$/.test(path) ? 'importance' : path;
  return HINTS[language]?.[key] ?? inSchema;
}
