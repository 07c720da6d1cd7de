/**
 * Adjectives of a shop that have a form for each gender: `camiseta preta` is looked for where the store writes `preto`. A list and no
 * rule, since most words that differ by their last letter alone are different things: `bolsa` and `bolso`, `meia` and `meio`, `porta` and
 * `porto`. Of each the masculine form, normalised.
 */
const MASCULINE: Readonly<Record<string, string>> = {
  pt: `
    preto branco vermelho amarelo roxo dourado prateado rosado alaranjado esverdeado azulado negro moreno claro escuro colorido
    estampado listrado bordado rendado florido liso fosco cromado metalico perolado desbotado
    curto longo comprido pequeno medio largo estreito grosso fino baixo alto fundo raso reto redondo quadrado inclinado
    novo usado antigo moderno classico rustico basico unico duplo triplo completo inteiro
    masculino feminino esportivo decorativo
    macio duro solto justo ajustado acolchoado forrado lavado rasgado reforcado dobrado aberto fechado vazado
    eletrico eletronico automatico magnetico hidraulico mecanico ortopedico ergonomico termico acustico sintetico
    seco molhado frio gelado morno salgado amargo azedo assado defumado organico
    puro importado interno externo giratorio cremoso liquido solido perfumado
  `,
  es: `
    negro blanco rojo amarillo morado dorado plateado rosado anaranjado moreno claro oscuro
    estampado rayado bordado florido liso cromado metalico
    corto largo pequeno mediano ancho estrecho grueso fino bajo alto recto redondo cuadrado
    nuevo usado antiguo moderno clasico rustico basico unico completo entero
    masculino femenino deportivo decorativo
    blando duro suelto ajustado acolchado forrado lavado reforzado abierto cerrado
    electrico electronico automatico magnetico hidraulico mecanico ortopedico ergonomico termico acustico sintetico
    seco mojado frio tibio salado amargo crudo ahumado organico
    puro importado interno externo giratorio cremoso liquido solido perfumado
  `,
};

const LISTS = new Map(
  Object.entries(MASCULINE).map(([language, list]) => [language, new Set(list.trim().split(/\s+/))]),
);
const NONE: ReadonlySet<string> = new Set();

/** Of a language's adjectives, in the singular, the masculine form; other words as they are. */
export function masculineOf(language: string): (word: string) => string {
  const list = LISTS.get(language) ?? NONE;
  return (word) => {
    const masculine = word.endsWith('a') ? `${word.slice(0, -1)}o` : word;
    return list.has(masculine) ? masculine : word;
  };
}
