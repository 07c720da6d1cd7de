import type { QueryTable } from './queries';

/** Written after search was worked on, without a look at how the first half did. */
export const queriesAfter: QueryTable = {
  pt: `
accents | oculos de sol aviador | sunglasses kind:Aviador
accents | cafe em graos | coffee kind:em_Grãos
accents | pelicula fosca | phone-glass kind:Fosca
accents | luminária pendênte | lamp kind:Pendente
plurals | bonecas de pano | doll kind:de_Pano
plurals | fones de ouvidos esportivos | headphones kind:Esportivo
plurals | toalha de banho | towel kind:de_Banho
plurals | mouses gamer | mouse kind:Gamer
typos | geladera duplex | fridge kind:Duplex
typos | bicileta infantil | bike kind:Infantil
typos | shampo antiqueda | shampoo kind:Antiqueda
typos | escrivanhia | desk
hyphens | micro ondas de embutir | microwave kind:de_Embutir
hyphens | guarda-chuva infantil | umbrella kind:Infantil
hyphens | quebracabeça | puzzle
hyphens | smarttv oled | tv kind:OLED
units | shampoo 1 litro | shampoo measure:1_L
units | arroz 5kg | rice measure:5_kg
units | perfume 100ml | perfume measure:100_ml
units | notebook 16gb | notebook measure:16_GB
fractions | cano joelho 1/2 | pipe measure:1/2"
fractions | parafuso sextavado 1/2 | screw kind:Sextavado measure:1/2"
fractions | broca de vídea 1/4 | drill-bit kind:de_Vídea measure:1/4"
fractions | ração 10.1 kg | pet-food measure:10,1_kg
models | micro-ondas mw34 | microwave model:MW-34
models | zentric m34 | phone brand:Zentric model:M34
models | impressora lp 210 | printer model:LP-210
models | teclado k380 | keyboard model:K380
synonyms | headphone bluetooth | headphones kind:Bluetooth
synonyms | capinha de celular | phone-case
synonyms | carregador de telefone celular | charger
synonyms | protetor de tela de celular | phone-glass
words | panela de pressão elétrica boa e barata para família grande | pressure-cooker kind:Elétrica
words | presente vestido de festa longo para casamento | dress
words | aspirador robô que passa pano e limpa sozinho | vacuum kind:Robô
words | mochila de viagem 30 litros para levar no avião | backpack kind:de_Viagem
head | furadeira | drill
head | relógio | watch
head | tênis | sneakers
head | câmera | camera
attribute | saia jeans | skirt kind:Jeans
attribute | chinelo azul | slippers colour:Azul
attribute | tapete felpudo cinza | rug kind:Felpudo colour:Cinza
attribute | bota feminina preta cano alto | boots kind:de_Cano_Alto measure:Feminina colour:Preto
`,
  en: `
accents | rosé wines | wine kind:Rosé
accents | cafe ground | coffee kind:Ground
accents | Rosè | wine kind:Rosé
accents | décaf capsules | coffee-capsule kind:Decaf
plurals | jigsaw puzzles 1000 pieces | puzzle measure:1000_pieces
plurals | bath towels | towel kind:Bath
plurals | wireless keyboards | keyboard kind:Wireless
plurals | steam irons | iron kind:Steam
typos | headfones | headphones
typos | umbrela | umbrella
typos | microwawe | microwave
typos | sunglases aviator | sunglasses kind:Aviator
hyphens | anti hair loss shampoo | shampoo kind:Anti-Hair_Loss
hyphens | tshirt | shirt
hyphens | back pack | backpack
hyphens | nonslip yogamat | yoga-mat kind:Nonslip
units | rice 5kg | rice measure:5_kg
units | 45w charger | charger measure:45_W
units | 27 inch monitor | monitor measure:27"
units | perfume 100ml | perfume measure:100_ml
fractions | 1/4 drill bit | drill-bit measure:1/4"
fractions | threaded elbow 1/2 | pipe kind:Threaded measure:1/2"
fractions | hex screw 1 1/2" | screw kind:Hex measure:1_1/2"
fractions | 8x10 rug | rug measure:8'_x_10'
models | mw 20 microwave | microwave model:MW-20
models | oraluz nova 12 | phone brand:Oraluz model:Nova_12
models | keyboard k-700 | keyboard model:K700
models | lp210 | printer model:LP-210
synonyms | mobile phone | phone
synonyms | sneakers running | sneakers kind:Running
synonyms | tv wall bracket | tv-mount
synonyms | hoover | vacuum
words | memory foam mattress for back pain queen size bed | mattress kind:Memory_Foam
words | compact camera for travel with good zoom and wifi | camera kind:Compact
words | gaming laptop with 32 gb ram for video editing | notebook kind:Gaming
words | small refrigerator for dorm room or office drinks | fridge kind:Compact
head | laptop | notebook
head | camera | camera
head | bike | bike
head | watch | watch
attribute | women's hiking boots | boots kind:Hiking measure:Women's
attribute | blue umbrella | umbrella colour:Blue
attribute | dark chocolate | chocolate kind:Dark_70%
attribute | pleated skirt white | skirt kind:Pleated colour:White
`,
  es: `
accents | champu anticaida | shampoo kind:Anticaída
accents | pantalon cargo | trousers kind:Cargo
accents | raton inalambrico | mouse kind:Inalámbrico
accents | lampara colgante | lamp kind:Colgante
plurals | muñecas de trapo | doll kind:de_Trapo
plurals | toalla de playa | towel kind:de_Playa
plurals | sillas de comedor | chair kind:de_Comedor
plurals | gafa de sol | sunglasses
typos | televizor qled | tv kind:QLED
typos | aspirdora robot | vacuum kind:Robot
typos | mochlia de viaje | backpack kind:de_Viaje
typos | perfum floral | perfume kind:Floral
hyphens | para guas plegable | umbrella kind:Plegable
hyphens | micro-ondas con grill | microwave kind:con_Grill
hyphens | lavadora carga-frontal | washer kind:Carga_Frontal
hyphens | anti caída champú | shampoo kind:Anticaída
units | arroz 5kg | rice measure:5_kg
units | champú 1 litro | shampoo measure:1_L
units | cargador 65w | charger measure:65_W
units | perfume 50ml | perfume measure:50_ml
fractions | tornillo hexagonal 1/2 | screw kind:Hexagonal measure:1/2"
fractions | broca para concreto 3/8 | drill-bit kind:para_Concreto measure:3/8"
fractions | codo pvc 1/2 pulgada | pipe kind:de_PVC measure:1/2"
fractions | licuadora 1.5 litros | blender measure:1,5_L
models | microondas mw34 | microwave model:MW-34
models | pixeon z16 | phone brand:Pixeon model:Z16
models | aspiradora vc-300 | vacuum model:VC-300
models | plancha fp9 | iron model:FP-9
synonyms | móvil 256 gb | phone measure:256_GB
synonyms | laptop gamer | notebook kind:Gamer
synonyms | lentes de sol | sunglasses
synonyms | mouse inalámbrico | mouse kind:Inalámbrico
words | olla a presión eléctrica grande para familia de seis | pressure-cooker kind:Eléctrica
words | vestido largo elegante para fiesta de boda de noche | dress
words | taladro a batería con maletín y dos baterías | drill kind:a_Batería
words | protector solar facial para piel grasa fps 50 | sunscreen kind:Facial measure:FPS_50
head | taladro | drill
head | reloj | watch
head | bicicleta | bike
head | celular | phone
attribute | falda plisada negra | skirt kind:Plisada colour:Negro
attribute | zapatillas de mujer blancas | sneakers measure:Mujer colour:Blanco
attribute | alfombra geométrica gris | rug kind:Geométrica colour:Gris
attribute | chocolate amargo | chocolate kind:Amargo_70%
`,
};
