import type { QueryTable } from './queries';

/** Written before search was worked on. What is right: concepts, then `field:value`; `_` is a space, `,` is "or". */
export const queriesBefore: QueryTable = {
  pt: `
accents | tenis de corrida | sneakers kind:de_Corrida
accents | colchao de molas | mattress kind:de_Molas
accents | maquina de lavar | washer
accents | relógio com gps | watch kind:com_GPS
plurals | panelas de ferro | pan kind:de_Ferro
plurals | calças jeans femininas | trousers kind:Jeans measure:Feminina
plurals | facas de pão | knife kind:de_Pão
plurals | cartuchos de tinta | cartridge
typos | smartfone | phone
typos | liquidificaodr | blender
typos | cafetera italiana | coffee-maker kind:Italiana
typos | impresora a laser | printer kind:a_Laser
hyphens | microondas | microwave
hyphens | guarda chuva | umbrella
hyphens | quebra cabeça 1000 peças | puzzle measure:1000_peças
hyphens | guardachuva automático | umbrella kind:Automático
units | refrigerante 1.5l | soda measure:1,5_L
units | café 500g | coffee measure:500_g
units | smartphone 256gb | phone measure:256_GB
units | liquidificador 2 litros | blender measure:2_L
fractions | parafuso 1 1/2" | screw measure:1_1/2"
fractions | broca 3/8 | drill-bit measure:3/8"
fractions | panela de pressão 4.5 litros | pressure-cooker measure:4,5_L
fractions | joelho pvc 3/4 | pipe kind:de_PVC measure:3/4"
models | impressora xj900 | printer model:XJ-900
models | aspirador vc 510 | vacuum model:VC-510
models | furadeira FD-700 | drill model:FD-700
models | notebook xb450 | notebook model:XB-450
synonyms | celular | phone
synonyms | televisão 55 | tv measure:55"
synonyms | laptop gamer | notebook kind:Gamer
synonyms | refrigerador frost free | fridge kind:Frost_Free
words | colchao casal 138 x 188 | mattress measure:138_x_188_cm
words | tênis preto para caminhar na rua todos os dias | sneakers
words | fone de ouvido bluetooth para academia e corrida | headphones
words | cadeira gamer confortável para estudar o dia inteiro | chair
head | cafeteira | coffee-maker
head | aspirador | vacuum
head | impressora | printer
head | livros de contos infantis | tales
head | zentric z15 | phone brand:Zentric model:Z15
head | filtro de café | coffee-filter
attribute | camiseta preta masculina | shirt measure:Masculina colour:Preto
attribute | mochila escolar azul | backpack kind:Escolar colour:Azul
attribute | vinho tinto | wine kind:Tinto
attribute | protetor solar infantil fps50 | sunscreen kind:Infantil measure:FPS_50
`,
  en: `
accents | rose wine | wine kind:Rosé
accents | ground café coffee | coffee kind:Ground
accents | rosé | wine kind:Rosé
accents | rosé wine 750 ml | wine kind:Rosé
plurals | smartphone cases | phone-case
plurals | frying pans | pan
plurals | kitchen knives | knife
plurals | kid bike | bike kind:Kids
typos | labtop | notebook
typos | wireles mouse | mouse kind:Wireless
typos | refridgerator | fridge
typos | matress | mattress
hyphens | t shirt black | shirt colour:Black
hyphens | all in one printer | printer kind:All-in-One
hyphens | flipflops | slippers
hyphens | non-stick pan | pan kind:Nonstick
units | blender 1.5l | blender measure:1.5_L
units | 256gb smartphone | phone measure:256_GB
units | 10 inch frying pan | pan measure:10_in
units | 500 g coffee | coffee measure:500_g
fractions | 1/2" drill bit | drill-bit measure:1/2"
fractions | screw 1 1/2 | screw measure:1_1/2"
fractions | pvc elbow 3/4" | pipe kind:PVC measure:3/4"
fractions | 5' x 8' rug | rug measure:5'_x_8'
models | xj-900 printer | printer model:XJ-900
models | XB 450 laptop | notebook model:XB-450
models | vc300 | vacuum model:VC-300
models | camera c77 | camera model:C-77
synonyms | cell phone | phone
synonyms | television 65" | tv measure:65"
synonyms | notebook computer | notebook
synonyms | fridge frost free | fridge kind:Frost_Free
words | desk lamp with usb port for bedroom study reading | lamp kind:Desk
words | comfortable office chair for long working days at home | chair kind:Office
words | waterproof bluetooth speaker for the beach and pool | speaker kind:Waterproof,Bluetooth
words | cordless drill with two batteries and a case | drill kind:Cordless
head | coffee maker | coffee-maker
head | vacuum cleaner | vacuum
head | printer | printer
head | children's books | tales
head | zentric z15 | phone brand:Zentric model:Z15
head | coffee filters | coffee-filter
attribute | red dress | dress colour:Red
attribute | men's running shoes | sneakers kind:Running measure:Men's
attribute | black office chair | chair kind:Office colour:Black
attribute | kids sunscreen spf 50 | sunscreen kind:Kids measure:SPF_50
`,
  es: `
accents | sarten de hierro | pan kind:de_Hierro
accents | telefono celular | phone
accents | camara compacta | camera kind:Compacta
accents | colchon de espuma | mattress kind:de_Espuma
plurals | fundas de silicona | phone-case kind:de_Silicona
plurals | relojes digitales | watch kind:Digital
plurals | zapatilla para correr | sneakers kind:para_Correr
plurals | cuchillos de chef | knife kind:de_Chef
typos | licuadra | blender
typos | zapatilas mujer | sneakers measure:Mujer
typos | impresora lasser | printer kind:Láser
typos | refrigeradro | fridge
hyphens | micro ondas | microwave
hyphens | rompe cabezas | puzzle
hyphens | anti-deslizante esterilla | yoga-mat kind:Antideslizante
hyphens | no-frost | fridge kind:No_Frost
units | gaseosa 1.5l | soda measure:1,5_L
units | celular 128gb | phone measure:128_GB
units | café molido 500g | coffee kind:Molido measure:500_g
units | aceite de oliva 500 mililitros | olive-oil measure:500_ml
fractions | tornillo 1 1/2 | screw measure:1_1/2"
fractions | broca 1/4 | drill-bit measure:1/4"
fractions | codo de 3/4 | pipe measure:3/4"
fractions | olla a presión 4.5 l | pressure-cooker measure:4,5_L
models | xj 450 | printer model:XJ-450
models | portátil slim5 | notebook model:Slim_5
models | taladro fd550 | drill model:FD-550
models | cafetera cm-45 | coffee-maker model:CM-45
synonyms | heladera no frost | fridge kind:No_Frost
synonyms | computadora portátil | notebook
synonyms | tv 43 pulgadas | tv measure:43"
synonyms | audífonos bluetooth | headphones kind:Bluetooth
words | colchón matrimonial 140 x 190 | mattress measure:140_x_190_cm
words | silla de oficina cómoda con apoyo lumbar para trabajar | chair kind:de_Oficina
words | mochila escolar grande para niños de primaria | backpack kind:Escolar
words | auriculares deportivos inalámbricos para correr en la calle | headphones kind:Deportivos
head | cafetera | coffee-maker
head | aspiradora | vacuum
head | impresora | printer
head | libros de cuentos infantiles | tales
head | zentric z15 | phone brand:Zentric model:Z15
head | filtros de café | coffee-filter
attribute | vestido rojo | dress colour:Rojo
attribute | botas negras de hombre | boots measure:Hombre colour:Negro
attribute | vino tinto | wine kind:Tinto
attribute | bicicleta infantil rodado 20 | bike kind:Infantil measure:Rodado_20
`,
};
