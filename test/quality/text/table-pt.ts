import type { ShopTable } from './shop-table';

/** A Brazilian shop. */
export const portuguese: ShopTable = {
  language: 'pt',
  colours: ['Preto', 'Branco', 'Azul', 'Vermelho', 'Verde', 'Cinza'],
  headFirst: true,
  words: { for: 'para', by: 'da', described: 'Pensado para o dia a dia, com acabamento cuidadoso e entrega rápida.' },
  titles: [
    'Casa',
    'Vento',
    'Rio',
    'Noite',
    'Mar',
    'Jardim',
    'Memória',
    'Inverno',
    'Ilha',
    'Ponte',
    'Janela',
    'Estrada',
  ],
  authors: ['Marina Duarte', 'Caio Figueira', 'Lia Montenegro', 'Otávio Sampaio', 'Helena Brandão', 'Rui Castanho'],
  categories: `
phone | Eletrônicos > Celulares e Smartphones > Smartphones | Smartphone | 5G, 4G | phones | Z15, Z16, Nova 12, M34 | 128 GB, 256 GB, 512 GB | coloured
phone-case | Eletrônicos > Celulares e Smartphones > Capas e Capinhas | Capa | de Silicone, Antichoque, de Couro | covers | | | coloured for=phone many
phone-glass | Eletrônicos > Celulares e Smartphones > Películas | Película | de Vidro, Fosca | covers | | | for=phone
charger | Eletrônicos > Celulares e Smartphones > Carregadores | Carregador | Turbo, sem Fio, Veicular | power | | 20 W, 45 W, 65 W | for=phone
notebook | Informática > Notebooks | Notebook | Gamer, Ultrafino, Profissional | computers | XB-450, XB-700, Slim 5 | 8 GB, 16 GB, 32 GB | coloured
notebook-bag | Informática > Acessórios | Mochila | Executiva, Impermeável | covers | | 15,6", 17" | coloured for=notebook
mouse | Informática > Mouses | Mouse | sem Fio, Gamer, Vertical | computers | M100, M220 | | coloured
keyboard | Informática > Teclados | Teclado | Mecânico, sem Fio, Gamer | computers | K380, K700 | | coloured
monitor | Informática > Monitores | Monitor | Gamer, Curvo, Ultrawide | computers | V24, V27 | 24", 27", 34" |
printer | Informática > Impressoras | Impressora | Multifuncional, a Laser, Jato de Tinta | printers | XJ-900, XJ-450, LP-210 | |
cartridge | Informática > Cartuchos e Toners | Cartucho | de Tinta Preto, de Tinta Colorido | printers | | | for=printer many
tv | TV e Vídeo > Televisores | Smart TV | LED, QLED, OLED | screens | Q60, Q80 | 32", 43", 55", 65" |
tv-mount | TV e Vídeo > Suportes | Suporte | Articulado, Fixo, de Parede | covers | | | for=tv
tv-remote | TV e Vídeo > Controles Remotos | Controle Remoto | Universal, com Voz | covers | | | for=tv
headphones | Áudio > Fones de Ouvido | Fone de Ouvido | Bluetooth, com Cancelamento de Ruído, Esportivo | sound | A10, A20 | | coloured
speaker | Áudio > Caixas de Som | Caixa de Som | Bluetooth, à Prova d'Água | sound | B5, B9 | 10 W, 40 W | coloured
camera | Câmeras > Câmeras Digitais | Câmera | Mirrorless, Compacta | screens | C-77, C-90 | |
camera-bag | Câmeras > Bolsas e Estojos | Bolsa | Acolchoada, Resistente | covers | | | for=camera
coffee-maker | Eletroportáteis > Cafeteiras | Cafeteira | Espresso, Italiana, Elétrica | kitchen | CM-20, CM-45 | 127 V, 220 V | coloured
coffee-capsule | Mercado > Cafés > Cápsulas | Cápsulas | Ristretto, Lungo, Descafeinado | coffees | | 10 unidades, 50 unidades | for=coffee-maker many
coffee-filter | Utilidades > Filtros | Filtro | de Papel, de Pano | kitchenware | | 102, 103 | for=coffee-maker
vacuum | Eletroportáteis > Aspiradores de Pó | Aspirador de Pó | Robô, Vertical, Portátil | kitchen | VC-300, VC-510 | 127 V, 220 V | coloured
vacuum-bag | Eletroportáteis > Peças e Acessórios | Saco Descartável | de Papel, Antialérgico | kitchenware | | | for=vacuum
vacuum-filter | Eletroportáteis > Peças e Acessórios | Filtro HEPA | Lavável, Duplo | kitchenware | | | for=vacuum
blender | Eletroportáteis > Liquidificadores | Liquidificador | de Alta Potência, Portátil | kitchen | LQ-8, LQ-12 | 1,5 L, 2 L, 3 L | coloured
microwave | Eletrodomésticos > Micro-ondas | Micro-ondas | de Embutir, com Grill | appliances | MW-20, MW-34 | 20 L, 34 L |
washer | Eletrodomésticos > Máquinas de Lavar | Máquina de Lavar | Automática, Lava e Seca | appliances | LV-11, LV-15 | 11 kg, 15 kg |
fridge | Eletrodomésticos > Geladeiras | Geladeira | Frost Free, Duplex, Inverse | appliances | GF-380, GF-450 | 380 L, 450 L |
iron | Eletroportáteis > Ferros de Passar | Ferro de Passar | a Vapor, a Seco | kitchen | FP-5, FP-9 | 127 V, 220 V |
fan | Eletroportáteis > Ventiladores | Ventilador | de Mesa, de Coluna, de Teto | kitchen | VT-30, VT-40 | 30 cm, 40 cm |
mattress | Casa > Colchões | Colchão | de Molas, de Espuma | bedding | | 138 x 188 cm, 158 x 198 cm, 88 x 188 cm |
sheets | Casa > Roupa de Cama | Jogo de Lençol | de Algodão, de Microfibra | bedding | | Solteiro, Casal, Queen | coloured
towel | Casa > Toalhas | Toalha | de Banho, de Rosto, de Praia | bedding | | 70 x 140 cm, 50 x 80 cm | coloured
pan | Casa > Panelas | Panela | Antiaderente, de Ferro, de Inox | kitchenware | | 20 cm, 24 cm, 28 cm | coloured
pressure-cooker | Casa > Panelas de Pressão | Panela de Pressão | Elétrica, de Alumínio | kitchenware | | 4,5 L, 6 L, 7 L |
knife | Casa > Facas | Faca | do Chef, de Pão, de Legumes | kitchenware | | 6", 8" |
lamp | Casa > Luminárias | Luminária | de Mesa, de Chão, Pendente | furniture | | | coloured
desk | Casa > Escrivaninhas | Escrivaninha | Industrial, com Gavetas | furniture | | 90 cm, 120 cm | coloured
chair | Casa > Cadeiras | Cadeira | de Escritório, Gamer, de Jantar | furniture | | | coloured
bookcase | Casa > Estantes | Estante para Livros | de Madeira, Infantil | furniture | | |
rug | Casa > Tapetes | Tapete | Felpudo, Geométrico | furniture | | 150 x 200 cm, 200 x 250 cm | coloured
umbrella | Acessórios > Guarda-chuvas | Guarda-chuva | Automático, Dobrável, Infantil | wear | | | coloured
drill | Ferramentas > Furadeiras | Furadeira | de Impacto, a Bateria | tools | FD-550, FD-700 | 127 V, 220 V |
drill-bit | Ferramentas > Brocas | Broca | de Aço Rápido, de Vídea | tools | | 1/4", 3/8", 1/2" | for=drill
screw | Ferramentas > Parafusos | Parafuso | Sextavado, Philips | tools | | 1/2", 1", 1 1/2", 2" |
pipe | Construção > Tubos e Conexões | Joelho | de PVC, Roscável | tools | | 1/2", 3/4", 1" |
ladder | Ferramentas > Escadas | Escada | de Alumínio, Dobrável | tools | | 5 degraus, 7 degraus |
sneakers | Calçados > Tênis | Tênis | de Corrida, Casual, de Caminhada | shoes | | Masculino, Feminino | coloured
boots | Calçados > Botas | Bota | de Cano Alto, Coturno, de Trilha | shoes | | Masculina, Feminina | coloured
slippers | Calçados > Chinelos | Chinelo | de Dedo, Slide | shoes | | | coloured
shirt | Roupas > Camisetas | Camiseta | Básica, Estampada, Regata | wear | | Masculina, Feminina | coloured
trousers | Roupas > Calças | Calça | Jeans, Cargo, Legging | wear | | Masculina, Feminina | coloured
skirt | Roupas > Saias | Saia | Midi, Plissada, Jeans | wear | | | coloured
dress | Roupas > Vestidos | Vestido | Longo, Curto, de Festa | wear | | | coloured
socks | Roupas > Meias | Meia | de Compressão, Cano Curto | wear | | | coloured for=sneakers
watch | Acessórios > Relógios | Relógio | Digital, Analógico, com GPS | watches | R7, R9 | | coloured
watch-strap | Acessórios > Pulseiras | Pulseira | de Silicone, de Aço | covers | | | coloured for=watch
backpack | Acessórios > Mochilas | Mochila | Escolar, de Viagem | wear | | 20 L, 30 L | coloured
sunglasses | Acessórios > Óculos de Sol | Óculos de Sol | Aviador, Redondo | wear | | | coloured
shampoo | Beleza > Shampoos | Shampoo | Hidratante, Antiqueda, Infantil | beauty | | 300 ml, 1 L |
sunscreen | Beleza > Protetores Solares | Protetor Solar | Facial, Corporal, Infantil | beauty | | FPS 30, FPS 50, FPS 70 |
perfume | Beleza > Perfumes | Perfume | Floral, Amadeirado | beauty | | 50 ml, 100 ml |
moisturiser | Beleza > Hidratantes | Hidratante | Facial, Corporal | beauty | | 200 ml, 400 ml |
coffee | Mercado > Cafés > Em Pó e Grãos | Café | em Grãos, Torrado e Moído | coffees | | 250 g, 500 g, 1 kg |
olive-oil | Mercado > Azeites | Azeite de Oliva | Extravirgem, Orgânico | foods | | 250 ml, 500 ml |
soda | Mercado > Refrigerantes | Refrigerante | de Guaraná, de Cola, de Laranja | foods | | 350 ml, 1,5 L, 2 L |
rice | Mercado > Arroz | Arroz | Branco, Integral | foods | | 1 kg, 5 kg |
wine | Mercado > Vinhos | Vinho | Tinto, Branco, Rosé | wines | | 750 ml |
chocolate | Mercado > Chocolates | Chocolate | ao Leite, Amargo 70%, Branco | foods | | 90 g, 1 kg |
pet-food | Pet > Ração | Ração | para Cães, para Gatos | foods | | 1 kg, 10,1 kg, 15 kg |
diaper | Bebê > Fraldas | Fralda | Descartável, Noturna | toys | | P, M, G |
doll | Brinquedos > Bonecas | Boneca | de Pano, Articulada, Bebê | toys | | |
blocks | Brinquedos > Blocos de Montar | Blocos de Montar | Cidade, Espaço, Fazenda | toys | | 300 peças, 1000 peças |
puzzle | Brinquedos > Quebra-cabeças | Quebra-cabeça | Paisagem, Infantil | toys | | 500 peças, 1000 peças |
ball | Esporte > Bolas | Bola de Futebol | de Campo, Society, Futsal | sports | | |
bike | Esporte > Bicicletas | Bicicleta | Mountain Bike, Urbana, Infantil | sports | BK-21, BK-24 | Aro 20, Aro 26, Aro 29 | coloured
bike-lock | Esporte > Acessórios | Cadeado | com Segredo, de Chave | sports | | | for=bike
helmet | Esporte > Capacetes | Capacete | Urbano, Infantil | sports | | | coloured for=bike
yoga-mat | Esporte > Yoga | Tapete de Yoga | Antiderrapante, de Viagem | sports | | 4 mm, 6 mm | coloured
tales | Livros > Infantil > Contos | Livro Infantil | de Contos, de Fábulas, Ilustrado | books | | | book
crime | Livros > Ficção > Suspense | Suspense | Policial, Psicológico | books | | | book
biography | Livros > Não Ficção > Biografias | Biografia | de Artistas, de Cientistas | books | | | book
`,
};
