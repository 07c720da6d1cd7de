import type { ShopTable } from './shop-table';

/** A Spanish-speaking shop. */
export const spanish: ShopTable = {
  language: 'es',
  colours: ['Negro', 'Blanco', 'Azul', 'Rojo', 'Verde', 'Gris'],
  headFirst: true,
  words: { for: 'para', by: 'de', described: 'Pensado para cada día, con un acabado cuidado y una entrega rápida.' },
  titles: [
    'Casa',
    'Viento',
    'Río',
    'Noche',
    'Mar',
    'Jardín',
    'Memoria',
    'Invierno',
    'Isla',
    'Puente',
    'Ventana',
    'Camino',
  ],
  authors: ['María Durán', 'Carlos Higueras', 'Lía Montes', 'Óscar Sampedro', 'Elena Branda', 'Raúl Castaño'],
  categories: `
phone | Electrónica > Telefonía > Celulares | Celular | 5G, 4G | phones | Z15, Z16, Nova 12, M34 | 128 GB, 256 GB, 512 GB | coloured
phone-case | Electrónica > Telefonía > Fundas | Funda | de Silicona, Antigolpes, de Cuero | covers | | | coloured for=phone many
phone-glass | Electrónica > Telefonía > Protectores de Pantalla | Protector de Pantalla | de Vidrio, Mate | covers | | | for=phone
charger | Electrónica > Telefonía > Cargadores | Cargador | Rápido, Inalámbrico, de Auto | power | | 20 W, 45 W, 65 W | for=phone
notebook | Informática > Portátiles | Portátil | Gamer, Ultrafino, Profesional | computers | XB-450, XB-700, Slim 5 | 8 GB, 16 GB, 32 GB | coloured
notebook-bag | Informática > Accesorios | Mochila | Ejecutiva, Impermeable | covers | | 15,6", 17" | coloured for=notebook
mouse | Informática > Ratones | Ratón | Inalámbrico, Gamer, Vertical | computers | M100, M220 | | coloured
keyboard | Informática > Teclados | Teclado | Mecánico, Inalámbrico, Gamer | computers | K380, K700 | | coloured
monitor | Informática > Monitores | Monitor | Gamer, Curvo, Ultrawide | computers | V24, V27 | 24", 27", 34" |
printer | Informática > Impresoras | Impresora | Multifunción, Láser, de Inyección | printers | XJ-900, XJ-450, LP-210 | |
cartridge | Informática > Tinta y Tóner | Cartucho | de Tinta Negra, de Tinta de Color | printers | | | for=printer many
tv | TV y Video > Televisores | Televisor | LED, QLED, OLED | screens | Q60, Q80 | 32", 43", 55", 65" |
tv-mount | TV y Video > Soportes | Soporte | Articulado, Fijo, de Pared | covers | | | for=tv
tv-remote | TV y Video > Controles Remotos | Control Remoto | Universal, por Voz | covers | | | for=tv
headphones | Audio > Auriculares | Auriculares | Bluetooth, con Cancelación de Ruido, Deportivos | sound | A10, A20 | | coloured
speaker | Audio > Altavoces | Altavoz | Bluetooth, Resistente al Agua | sound | B5, B9 | 10 W, 40 W | coloured
camera | Cámaras > Cámaras Digitales | Cámara | Mirrorless, Compacta | screens | C-77, C-90 | |
camera-bag | Cámaras > Bolsos y Estuches | Bolso | Acolchado, Resistente | covers | | | for=camera
coffee-maker | Pequeños Electrodomésticos > Cafeteras | Cafetera | Espresso, Italiana, Eléctrica | kitchen | CM-20, CM-45 | 110 V, 220 V | coloured
coffee-capsule | Supermercado > Café > Cápsulas | Cápsulas | Ristretto, Lungo, Descafeinado | coffees | | 10 unidades, 50 unidades | for=coffee-maker many
coffee-filter | Menaje > Filtros | Filtro | de Papel, de Tela | kitchenware | | N.º 2, N.º 4 | for=coffee-maker
vacuum | Pequeños Electrodomésticos > Aspiradoras | Aspiradora | Robot, Vertical, de Mano | kitchen | VC-300, VC-510 | 110 V, 220 V | coloured
vacuum-bag | Pequeños Electrodomésticos > Repuestos y Accesorios | Bolsa Desechable | de Papel, Antialérgica | kitchenware | | | for=vacuum
vacuum-filter | Pequeños Electrodomésticos > Repuestos y Accesorios | Filtro HEPA | Lavable, Doble | kitchenware | | | for=vacuum
blender | Pequeños Electrodomésticos > Licuadoras | Licuadora | de Alta Potencia, Portátil | kitchen | LQ-8, LQ-12 | 1,5 L, 2 L, 3 L | coloured
microwave | Electrodomésticos > Microondas | Microondas | Integrable, con Grill | appliances | MW-20, MW-34 | 20 L, 34 L |
washer | Electrodomésticos > Lavadoras | Lavadora | Carga Frontal, Carga Superior | appliances | LV-11, LV-15 | 11 kg, 15 kg |
fridge | Electrodomésticos > Refrigeradores | Refrigerador | No Frost, Dúplex, Compacto | appliances | GF-380, GF-450 | 380 L, 450 L |
iron | Pequeños Electrodomésticos > Planchas | Plancha | a Vapor, Seca | kitchen | FP-5, FP-9 | 110 V, 220 V |
fan | Pequeños Electrodomésticos > Ventiladores | Ventilador | de Mesa, de Pie, de Techo | kitchen | VT-30, VT-40 | 30 cm, 40 cm |
mattress | Hogar > Colchones | Colchón | de Resortes, de Espuma | bedding | | 140 x 190 cm, 160 x 200 cm, 90 x 190 cm |
sheets | Hogar > Ropa de Cama | Juego de Sábanas | de Algodón, de Microfibra | bedding | | Individual, Matrimonial, Queen | coloured
towel | Hogar > Toallas | Toalla | de Baño, de Mano, de Playa | bedding | | 70 x 140 cm, 50 x 80 cm | coloured
pan | Hogar > Sartenes | Sartén | Antiadherente, de Hierro, de Acero | kitchenware | | 20 cm, 24 cm, 28 cm | coloured
pressure-cooker | Hogar > Ollas a Presión | Olla a Presión | Eléctrica, de Aluminio | kitchenware | | 4,5 L, 6 L, 7 L |
knife | Hogar > Cuchillos | Cuchillo | de Chef, de Pan, de Verduras | kitchenware | | 6", 8" |
lamp | Hogar > Lámparas | Lámpara | de Mesa, de Pie, Colgante | furniture | | | coloured
desk | Hogar > Escritorios | Escritorio | Industrial, con Cajones | furniture | | 90 cm, 120 cm | coloured
chair | Hogar > Sillas | Silla | de Oficina, Gamer, de Comedor | furniture | | | coloured
bookcase | Hogar > Estanterías | Estantería para Libros | de Madera, Infantil | furniture | | |
rug | Hogar > Alfombras | Alfombra | de Pelo Largo, Geométrica | furniture | | 150 x 200 cm, 200 x 250 cm | coloured
umbrella | Accesorios > Paraguas | Paraguas | Automático, Plegable, Infantil | wear | | | coloured
drill | Herramientas > Taladros | Taladro | Percutor, a Batería | tools | FD-550, FD-700 | 110 V, 220 V |
drill-bit | Herramientas > Brocas | Broca | de Acero Rápido, para Concreto | tools | | 1/4", 3/8", 1/2" | for=drill
screw | Herramientas > Tornillos | Tornillo | Hexagonal, Phillips | tools | | 1/2", 1", 1 1/2", 2" |
pipe | Construcción > Tubos y Conexiones | Codo | de PVC, Roscado | tools | | 1/2", 3/4", 1" |
ladder | Herramientas > Escaleras | Escalera | de Aluminio, Plegable | tools | | 5 peldaños, 7 peldaños |
sneakers | Calzado > Zapatillas | Zapatillas | para Correr, Urbanas, para Caminar | shoes | | Hombre, Mujer | coloured
boots | Calzado > Botas | Botas | de Caña Alta, Militares, de Montaña | shoes | | Hombre, Mujer | coloured
slippers | Calzado > Sandalias | Sandalias | de Playa, Slide | shoes | | | coloured
shirt | Ropa > Camisetas | Camiseta | Básica, Estampada, sin Mangas | wear | | Hombre, Mujer | coloured
trousers | Ropa > Pantalones | Pantalón | Jeans, Cargo, Legging | wear | | Hombre, Mujer | coloured
skirt | Ropa > Faldas | Falda | Midi, Plisada, de Jean | wear | | | coloured
dress | Ropa > Vestidos | Vestido | Largo, Corto, de Fiesta | wear | | | coloured
socks | Ropa > Calcetines | Calcetines | de Compresión, Tobilleros | wear | | | coloured for=sneakers
watch | Accesorios > Relojes | Reloj | Digital, Analógico, con GPS | watches | R7, R9 | | coloured
watch-strap | Accesorios > Correas | Correa | de Silicona, de Acero | covers | | | coloured for=watch
backpack | Accesorios > Mochilas | Mochila | Escolar, de Viaje | wear | | 20 L, 30 L | coloured
sunglasses | Accesorios > Gafas de Sol | Gafas de Sol | Aviador, Redondas | wear | | | coloured
shampoo | Belleza > Champús | Champú | Hidratante, Anticaída, Infantil | beauty | | 300 ml, 1 L |
sunscreen | Belleza > Protectores Solares | Protector Solar | Facial, Corporal, Infantil | beauty | | FPS 30, FPS 50, FPS 70 |
perfume | Belleza > Perfumes | Perfume | Floral, Amaderado | beauty | | 50 ml, 100 ml |
moisturiser | Belleza > Cremas Hidratantes | Crema Hidratante | Facial, Corporal | beauty | | 200 ml, 400 ml |
coffee | Supermercado > Café > Molido y en Grano | Café | en Grano, Molido | coffees | | 250 g, 500 g, 1 kg |
olive-oil | Supermercado > Aceites | Aceite de Oliva | Virgen Extra, Orgánico | foods | | 250 ml, 500 ml |
soda | Supermercado > Gaseosas | Gaseosa | de Limón, de Cola, de Naranja | foods | | 350 ml, 1,5 L, 2 L |
rice | Supermercado > Arroz | Arroz | Blanco, Integral | foods | | 1 kg, 5 kg |
wine | Supermercado > Vinos | Vino | Tinto, Blanco, Rosado | wines | | 750 ml |
chocolate | Supermercado > Chocolates | Chocolate | con Leche, Amargo 70%, Blanco | foods | | 90 g, 1 kg |
pet-food | Mascotas > Alimentos | Alimento | para Perros, para Gatos | foods | | 1 kg, 10,1 kg, 15 kg |
diaper | Bebé > Pañales | Pañales | Desechables, Nocturnos | toys | | P, M, G |
doll | Juguetes > Muñecas | Muñeca | de Trapo, Articulada, Bebé | toys | | |
blocks | Juguetes > Bloques de Construcción | Bloques de Construcción | Ciudad, Espacio, Granja | toys | | 300 piezas, 1000 piezas |
puzzle | Juguetes > Rompecabezas | Rompecabezas | Paisaje, Infantil | toys | | 500 piezas, 1000 piezas |
ball | Deporte > Balones | Balón de Fútbol | de Entrenamiento, Profesional, de Sala | sports | | |
bike | Deporte > Bicicletas | Bicicleta | de Montaña, Urbana, Infantil | sports | BK-21, BK-24 | Rodado 20, Rodado 26, Rodado 29 | coloured
bike-lock | Deporte > Accesorios | Candado | con Clave, con Llave | sports | | | for=bike
helmet | Deporte > Cascos | Casco | Urbano, Infantil | sports | | | coloured for=bike
yoga-mat | Deporte > Yoga | Esterilla de Yoga | Antideslizante, de Viaje | sports | | 4 mm, 6 mm | coloured
tales | Libros > Infantil > Cuentos | Libro Infantil | de Cuentos, de Fábulas, Ilustrado | books | | | book
crime | Libros > Ficción > Suspenso | Suspenso | Policial, Psicológico | books | | | book
biography | Libros > No Ficción > Biografías | Biografía | de Artistas, de Científicos | books | | | book
`,
};
