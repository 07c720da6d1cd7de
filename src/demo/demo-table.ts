/** The categories of the demo shop: what it sells, in which kinds, by whom and for how much. All names are made up. */

import { namesIn } from '../catalog/product/categories';

export interface Brand {
  name: string;
  /** Multiplies the usual price: above 1 premium, below 1 budget. */
  level: number;
}

/** A category of the last level, with what its products are made of. */
export interface DemoCategory {
  /** Its names from the top. */
  path: string[];
  noun: string;
  kinds: string[];
  brands: Brand[];
  price: { min: number; max: number };
  /** How many products it has. */
  count: number;
  sizes: string[];
  coloured: boolean;
  materials: string[];
  picture: string;
}

const BRANDS = `
shoes: Andara 1.5, Rueira 0.9, Veltor 1.2, Passolar 0.7, Kizuma 1.1, Norvia 1, Trilhama 1.3, Solandra 0.8
clothes: Linhar 1.3, Algodoa 0.8, Maré Alta 1, Bento & Rui 1.5, Flordela 1.1, Urbaneza 0.9, Tecela 0.7
sport: Veltor 1.3, Trilhama 1.2, Forçana 0.9, Aquamar 1, Pedalia 1.4, Golaço 0.8
tech: Zentric 1.5, Oraluz 1.1, Mirante 0.9, Voltara 1.2, Pixeon 0.75, Sonhara 1.3
home: Casabela 1, Ferrália 1.4, Barroquinha 0.8, Tramela 1.1, Ninhal 0.9, Lumiara 1.2
beauty: Florescer 1, Amazel 1.4, Pele & Sol 0.9, Vivanda 1.2, Cachea 0.8, Orvalha 1.1
toys: Brincalê 1, Pecinha 1.3, Tatu Bolinha 0.8, Montaria 1.1, Cirandela 0.9
books: Editora Jabuticaba 1, Casa do Farol 1.2, Letra Miúda 0.8, Serra Azul Editora 1.1, Papel Vivo 0.9
grocery: Grão da Serra 1.2, Dona Filó 0.9, Sítio Claro 1.1, Mesa Farta 0.8, Vale Doce 1, Quintal Verde 1.3
`;

/** path | noun | kinds | brands | price range | products | sizes | colours | materials | picture */
const CATEGORIES = `
Moda > Calçados > Tênis | Tênis | de Corrida, Casual, de Skate, de Treino, de Caminhada | shoes | 149-549 | 150 | shoe | yes | Mesh, Camurça, Lona, Couro sintético | shoe
Moda > Calçados > Sandálias | Sandália | Rasteira, Anabela, de Salto, Papete | shoes | 69-249 | 55 | shoe | yes | Couro, Couro sintético, EVA | sandal
Moda > Calçados > Botas | Bota | Coturno, Chelsea, de Trilha, de Cano Alto | shoes | 199-599 | 45 | shoe | yes | Couro, Camurça, Nobuck | boot
Moda > Calçados > Chinelos | Chinelo | Slide, de Dedo, Ortopédico | shoes | 29-119 | 35 | shoe | yes | Borracha, EVA | sandal
Moda > Roupas > Camisetas | Camiseta | Básica, Estampada, Polo, Regata | clothes | 39-169 | 90 | letter | yes | Algodão, Algodão orgânico, Viscose | shirt
Moda > Roupas > Calças | Calça | Jeans, de Alfaiataria, Cargo, Legging | clothes | 99-399 | 70 | letter | yes | Jeans, Linho, Sarja, Moletom | pants
Moda > Roupas > Vestidos | Vestido | Longo, Midi, Curto, Chemise | clothes | 119-459 | 60 | letter | yes | Viscose, Linho, Crepe | dress
Moda > Roupas > Jaquetas | Jaqueta | Corta-vento, Jeans, Puffer, Bomber | clothes | 189-699 | 50 | letter | yes | Nylon, Jeans, Sarja | jacket
Moda > Acessórios > Bolsas | Bolsa | Tiracolo, Tote, Mochila, Clutch | clothes | 89-599 | 55 | one | yes | Couro, Lona, Palha | bag
Moda > Acessórios > Relógios | Relógio | Analógico, Digital, Cronógrafo | tech | 149-1299 | 45 | one | yes | Aço, Couro, Silicone | watch
Moda > Acessórios > Óculos de Sol | Óculos de Sol | Redondo, Aviador, Quadrado | clothes | 99-499 | 40 | one | yes | Acetato, Metal | glasses
Esporte > Corrida > Roupas de Corrida | Shorts | de Corrida, de Compressão, com Bolso | sport | 69-229 | 40 | letter | yes | Poliamida, Poliéster | pants
Esporte > Corrida > Meias | Meia | de Corrida, de Compressão, Cano Curto | sport | 19-79 | 30 | one | yes | Algodão, Poliamida | sock
Esporte > Corrida > Relógios Esportivos | Relógio Esportivo | com GPS, Multiesporte, Monitor Cardíaco | tech | 399-2499 | 35 | one | yes | Silicone, Polímero | watch
Esporte > Futebol > Bolas | Bola de Futebol | de Campo, Society, Futsal | sport | 59-349 | 35 | one | yes | PU, PVC | ball
Esporte > Futebol > Chuteiras | Chuteira | de Campo, Society, Futsal | shoes | 129-599 | 45 | shoe | yes | Couro sintético, Knit | shoe
Esporte > Academia > Halteres | Halter | Sextavado, Ajustável, Emborrachado | sport | 39-699 | 30 | weight | no | Ferro, Borracha | dumbbell
Esporte > Academia > Yoga | Tapete de Yoga | Antiderrapante, Dupla Face, de Viagem | sport | 59-289 | 30 | one | yes | TPE, Cortiça, Borracha natural | mat
Esporte > Academia > Garrafas | Garrafa | Térmica, Squeeze, com Infusor | sport | 29-189 | 35 | volume | yes | Inox, Tritan | bottle
Esporte > Ciclismo > Bicicletas | Bicicleta | Urbana, Mountain Bike, Speed, Dobrável | sport | 899-5999 | 45 | frame | yes | Alumínio, Carbono | bike
Esporte > Ciclismo > Capacetes | Capacete | Urbano, Mountain Bike, Speed | sport | 99-699 | 30 | letter | yes | EPS, Policarbonato | helmet
Eletrônicos > Áudio > Fones de Ouvido | Fone de Ouvido | Bluetooth, com Cancelamento de Ruído, Esportivo, Gamer | tech | 89-1499 | 75 | one | yes | Plástico, Alumínio | headphones
Eletrônicos > Áudio > Caixas de Som | Caixa de Som | Bluetooth, à Prova d'Água, Soundbar | tech | 129-1999 | 50 | one | yes | Plástico, Tecido | speaker
Eletrônicos > Celulares > Smartphones | Smartphone | 128 GB, 256 GB, 512 GB | tech | 899-5499 | 60 | one | yes | Vidro, Alumínio | phone
Eletrônicos > Celulares > Capas | Capa para Celular | Transparente, Antichoque, de Couro | tech | 29-149 | 40 | one | yes | Silicone, TPU, Couro | phone
Eletrônicos > Celulares > Carregadores | Carregador | Turbo, sem Fio, Portátil | tech | 39-299 | 40 | one | no | Plástico | plug
Eletrônicos > Computadores > Notebooks | Notebook | Gamer, Ultrafino, Profissional | tech | 2299-9999 | 55 | one | yes | Alumínio, Plástico | laptop
Eletrônicos > Computadores > Mouses | Mouse | Gamer, sem Fio, Vertical | tech | 49-499 | 40 | one | yes | Plástico | mouse
Eletrônicos > Computadores > Teclados | Teclado | Mecânico, sem Fio, Gamer | tech | 99-899 | 40 | one | yes | Plástico, Alumínio | keyboard
Eletrônicos > Computadores > Monitores | Monitor | Gamer, Ultrawide, 4K | tech | 699-3999 | 35 | one | no | Plástico | screen
Eletrônicos > TV e Vídeo > Televisores | Smart TV | LED 43", QLED 55", OLED 65" | tech | 1499-8999 | 40 | one | no | Plástico | screen
Casa > Cozinha > Panelas | Panela | de Pressão, Antiaderente, de Ferro, Wok | home | 79-699 | 60 | one | yes | Alumínio, Inox, Ferro fundido | pan
Casa > Cozinha > Facas | Faca | do Chef, de Pão, Santoku | home | 39-459 | 35 | one | no | Inox, Aço carbono | knife
Casa > Cozinha > Cafeteiras | Cafeteira | Italiana, Espresso, de Filtro, Prensa Francesa | home | 89-1899 | 45 | one | yes | Inox, Vidro, Alumínio | coffee
Casa > Cozinha > Liquidificadores | Liquidificador | de Alta Potência, Portátil, com Filtro | home | 99-599 | 35 | voltage | yes | Inox, Plástico | blender
Casa > Cama e Banho > Jogos de Cama | Jogo de Cama | Casal, Queen, King, Solteiro | home | 99-699 | 50 | one | yes | Algodão, Percal, Microfibra | bed
Casa > Cama e Banho > Toalhas | Toalha | de Banho, de Rosto, de Praia | home | 29-149 | 40 | one | yes | Algodão, Algodão egípcio | towel
Casa > Decoração > Luminárias | Luminária | de Mesa, Pendente, de Chão | home | 79-799 | 45 | voltage | yes | Metal, Madeira, Vidro | lamp
Casa > Decoração > Tapetes | Tapete | Felpudo, Sisal, Geométrico | home | 99-999 | 35 | rug | yes | Poliéster, Sisal, Algodão | mat
Casa > Móveis > Cadeiras | Cadeira | de Escritório, de Jantar, Gamer | home | 249-1899 | 45 | one | yes | Madeira, Tecido, Metal | chair
Beleza > Perfumaria > Perfumes | Perfume | Floral, Amadeirado, Cítrico, Oriental | beauty | 79-599 | 65 | perfume | no | Eau de parfum, Eau de toilette, Colônia | perfume
Beleza > Cabelos > Shampoos | Shampoo | Hidratante, Antiqueda, para Cachos, Matizador | beauty | 19-119 | 55 | volume | no | Vegano, Sem sulfato | bottle
Beleza > Cabelos > Secadores | Secador de Cabelo | Profissional, de Viagem, Íon | beauty | 99-699 | 30 | voltage | yes | Cerâmica, Titânio | dryer
Beleza > Maquiagem > Batons | Batom | Matte, Líquido, Cremoso | beauty | 19-129 | 55 | one | yes | Vegano, Longa duração | lipstick
Beleza > Pele > Hidratantes | Hidratante | Facial, Corporal, com Cor | beauty | 25-229 | 50 | volume | no | Ácido hialurônico, Vitamina C, Manteiga de karité | jar
Beleza > Pele > Protetores Solares | Protetor Solar | FPS 30, FPS 50, FPS 70 | beauty | 29-149 | 35 | volume | no | Toque seco, Resistente à água | bottle
Brinquedos > Montar > Blocos | Blocos de Montar | Cidade, Espaço, Fazenda, Castelo | toys | 49-699 | 55 | one | no | Plástico | blocks
Brinquedos > Bonecos > Bonecas | Boneca | de Pano, Articulada, Bebê | toys | 39-299 | 40 | one | no | Tecido, Vinil | doll
Brinquedos > Bonecos > Pelúcias | Pelúcia | Urso, Coelho, Preguiça, Capivara | toys | 29-249 | 45 | one | yes | Pelúcia | bear
Brinquedos > Jogos > Jogos de Tabuleiro | Jogo de Tabuleiro | de Estratégia, Cooperativo, em Família | toys | 59-399 | 45 | one | no | Papelão, Madeira | dice
Brinquedos > Jogos > Quebra-cabeças | Quebra-cabeça | 500 Peças, 1000 Peças, 2000 Peças | toys | 39-229 | 35 | one | no | Papelão | puzzle
Brinquedos > Veículos > Carrinhos | Carrinho | de Controle Remoto, de Fricção, de Corrida | toys | 19-349 | 40 | one | yes | Plástico, Metal | car
Livros > Ficção > Romance | Romance | Histórico, Contemporâneo, Epistolar | books | 29-99 | 55 | one | no | Capa comum, Capa dura | book
Livros > Ficção > Suspense | Suspense | Policial, Psicológico, Noir | books | 29-99 | 55 | one | no | Capa comum, Capa dura | book
Livros > Ficção > Ficção Científica | Ficção Científica | Espacial, Distópica, Cyberpunk | books | 34-119 | 45 | one | no | Capa comum, Capa dura | book
Livros > Não Ficção > Biografias | Biografia | de Artistas, de Cientistas, de Atletas | books | 39-129 | 40 | one | no | Capa comum, Capa dura | book
Livros > Infantil > Contos | Livro Infantil | de Contos, de Fábulas, Ilustrado | books | 24-89 | 45 | one | no | Capa dura, Cartonado | book
Mercado > Mercearia > Cafés | Café | em Grãos, Moído, em Cápsulas | grocery | 18-89 | 60 | pack | no | Arábica, Orgânico, Torra escura | pack
Mercado > Mercearia > Azeites | Azeite | Extravirgem, Trufado, Orgânico | grocery | 29-139 | 35 | volume | no | Prensado a frio | bottle
Mercado > Mercearia > Massas | Massa | Espaguete, Penne, Talharim | grocery | 6-39 | 45 | pack | no | Grano duro, Integral, Sem glúten | pack
Mercado > Bebidas > Vinhos | Vinho | Tinto, Branco, Rosé, Espumante | grocery | 39-399 | 50 | one | no | Malbec, Merlot, Chardonnay, Pinot Noir | wine
Mercado > Bebidas > Chás | Chá | Verde, de Camomila, Preto, de Hibisco | grocery | 9-59 | 35 | pack | no | Orgânico, A granel | cup
Mercado > Doces > Chocolates | Chocolate | ao Leite, Amargo 70%, Branco | grocery | 8-69 | 50 | pack | no | Cacau brasileiro, Sem lactose | chocolate
`;

const SIZES: Readonly<Record<string, string[]>> = {
  one: [],
  shoe: ['36', '37', '38', '39', '40', '41', '42'],
  letter: ['PP', 'P', 'M', 'G', 'GG'],
  weight: ['1 kg', '2 kg', '5 kg', '10 kg'],
  volume: ['250 ml', '500 ml'],
  frame: ['15"', '17"', '19"'],
  voltage: ['127 V', '220 V'],
  rug: ['100 x 150 cm', '150 x 200 cm'],
  perfume: ['30 ml', '50 ml', '100 ml'],
  pack: ['250 g', '500 g'],
};

const list = (text: string): string[] => text.split(',').map((item) => item.trim());

/** The lines of a table, each cut at `separator` into its columns. */
export function tableOf(table: string, separator = '|'): string[][] {
  const lines = table.trim().split('\n');
  return lines.map((line) => line.split(separator).map((column) => column.trim()));
}

function brandOf(text: string): Brand {
  const space = text.lastIndexOf(' ');
  return { name: text.slice(0, space), level: Number(text.slice(space + 1)) };
}

const brands = new Map(tableOf(BRANDS, ':').map(([group = '', names = '']) => [group, list(names).map(brandOf)]));

/** Every category of the shop, department by department. */
export const categories: readonly DemoCategory[] = tableOf(CATEGORIES).map((columns) => {
  const [path = '', noun = '', kinds = '', group = '', price = '', count = '', sizes = '', ...rest] = columns;
  const [coloured, materials = '', picture = ''] = rest;
  const [min = 0, max = 0] = price.split('-').map(Number);
  return {
    path: namesIn(path),
    noun,
    kinds: list(kinds),
    brands: brands.get(group) ?? [],
    price: { min, max },
    count: Number(count),
    sizes: SIZES[sizes] ?? [],
    coloured: coloured === 'yes',
    materials: list(materials),
    picture,
  };
});
