/** Terms that all stand for each other, or one that also finds others. */
export type SynonymGroup = { terms: readonly string[] } | { from: string; to: readonly string[] };

/** By language, terms that stand for each other in nearly every shop, a group a line. A store can turn its list off. */
const STARTER: Readonly<Record<string, string>> = {
  pt: `
    tv, televisão, televisor
    celular, smartphone, telefone celular
    notebook, laptop
    geladeira, refrigerador
    fone de ouvido, headphone, fone
    caixa de som, alto falante, speaker
    microondas, forno de micro ondas
    air fryer, fritadeira elétrica, fritadeira sem óleo
    máquina de lavar, lavadora de roupas
    pen drive, pendrive, memória usb
    hd, disco rígido
    bicicleta, bike
    camiseta, t-shirt
    chuteira, tênis de futebol
    óculos escuros, óculos de sol
    guarda roupa, roupeiro
    sofá, estofado
    cachorro, cão
    carrinho de bebê, carrinho para bebê
    videogame, vídeo game, console
    xampu, shampoo
    desodorante, antitranspirante
    protetor solar, filtro solar
    mouse pad, mousepad
    liquidificador, blender
  `,
  en: `
    tv, television
    cell phone, smartphone, mobile phone
    laptop, notebook
    fridge, refrigerator
    headphones, earphones
    sofa, couch
    sneakers, trainers
    pants, trousers
    sweater, jumper, pullover
    bike, bicycle
    sunscreen, sunblock
    diaper, nappy
    stroller, pushchair
    usb stick, flash drive, usb drive
    hard drive, hdd
    closet, wardrobe
    trash can, garbage can
    wrench, spanner
    purse, handbag
    duvet, comforter
    game console, video game console
    perfume, fragrance
    bathrobe, dressing gown
  `,
  es: `
    tv, televisión, televisor
    celular, móvil, smartphone, teléfono móvil
    portátil, laptop, notebook, ordenador portátil
    computadora, ordenador
    nevera, refrigerador, frigorífico, heladera
    auriculares, audífonos
    zapatillas, tenis
    camiseta, playera, remera
    jersey, suéter
    bicicleta, bici
    gafas de sol, lentes de sol
    freidora de aire, air fryer
    microondas, horno microondas
    lavadora, lavarropas
    sofá, sillón
    armario, ropero, placard
    pañal, pañales
    carrito de bebé, cochecito
    champú, shampoo
    protector solar, bloqueador solar
    pendrive, memoria usb
    disco duro, hdd
    altavoz, parlante, bocina
    videojuego, video juego
    licuadora, batidora de vaso
    bolso, cartera
    coche, auto, carro
  `,
};

const groups = new Map(
  Object.entries(STARTER).map(([language, lines]): [string, readonly SynonymGroup[]] => [
    language,
    lines
      .trim()
      .split('\n')
      .map((line) => ({ terms: line.split(',').map((term) => term.trim()) })),
  ]),
);

/** Of a primary language subtag; none where there is no list for it. */
export const starterSynonyms = (language: string): readonly SynonymGroup[] => groups.get(language) ?? [];
