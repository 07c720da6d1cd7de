import type { ShopTable } from './shop-table';

/** An English shop. */
export const english: ShopTable = {
  language: 'en',
  colours: ['Black', 'White', 'Blue', 'Red', 'Green', 'Grey'],
  headFirst: false,
  words: { for: 'for', by: 'by', described: 'Made for every day, with care for every detail, and delivered fast.' },
  titles: [
    'House',
    'Wind',
    'River',
    'Night',
    'Sea',
    'Garden',
    'Memory',
    'Winter',
    'Island',
    'Bridge',
    'Window',
    'Road',
  ],
  authors: ['Mary Dunmore', 'Carl Figgis', 'Leah Monroe', 'Owen Sampson', 'Helen Brand', 'Roy Castle'],
  categories: `
phone | Electronics > Mobile Phones > Smartphones | Smartphone | 5G, 4G | phones | Z15, Z16, Nova 12, M34 | 128 GB, 256 GB, 512 GB | coloured
phone-case | Electronics > Mobile Phones > Cases and Covers | Case | Silicone, Shockproof, Leather | covers | | | coloured for=phone many
phone-glass | Electronics > Mobile Phones > Screen Protectors | Screen Protector | Tempered Glass, Matte | covers | | | for=phone
charger | Electronics > Mobile Phones > Chargers | Charger | Fast, Wireless, Car | power | | 20 W, 45 W, 65 W | for=phone
notebook | Computers > Laptops | Laptop | Gaming, Ultrathin, Business | computers | XB-450, XB-700, Slim 5 | 8 GB, 16 GB, 32 GB | coloured
notebook-bag | Computers > Accessories | Backpack | Business, Waterproof | covers | | 15.6", 17" | coloured for=notebook
mouse | Computers > Mice | Mouse | Wireless, Gaming, Vertical | computers | M100, M220 | | coloured
keyboard | Computers > Keyboards | Keyboard | Mechanical, Wireless, Gaming | computers | K380, K700 | | coloured
monitor | Computers > Monitors | Monitor | Gaming, Curved, Ultrawide | computers | V24, V27 | 24", 27", 34" |
printer | Computers > Printers | Printer | All-in-One, Laser, Inkjet | printers | XJ-900, XJ-450, LP-210 | |
cartridge | Computers > Ink and Toner | Ink Cartridge | Black, Colour | printers | | | for=printer many
tv | TV and Video > Televisions | Smart TV | LED, QLED, OLED | screens | Q60, Q80 | 32", 43", 55", 65" |
tv-mount | TV and Video > Mounts | Wall Mount | Swivel, Fixed, Tilting | covers | | | for=tv
tv-remote | TV and Video > Remote Controls | Remote Control | Universal, Voice | covers | | | for=tv
headphones | Audio > Headphones | Headphones | Bluetooth, Noise Cancelling, Sports | sound | A10, A20 | | coloured
speaker | Audio > Speakers | Speaker | Bluetooth, Waterproof | sound | B5, B9 | 10 W, 40 W | coloured
camera | Cameras > Digital Cameras | Camera | Mirrorless, Compact | screens | C-77, C-90 | |
camera-bag | Cameras > Bags and Cases | Bag | Padded, Rugged | covers | | | for=camera
coffee-maker | Small Appliances > Coffee Makers | Coffee Maker | Espresso, Drip, Stovetop | kitchen | CM-20, CM-45 | 110 V, 220 V | coloured
coffee-capsule | Groceries > Coffee > Capsules | Capsules | Ristretto, Lungo, Decaf | coffees | | 10 count, 50 count | for=coffee-maker many
coffee-filter | Housewares > Filters | Filters | Paper, Reusable | kitchenware | | No. 2, No. 4 | for=coffee-maker
vacuum | Small Appliances > Vacuum Cleaners | Vacuum Cleaner | Robot, Upright, Handheld | kitchen | VC-300, VC-510 | 110 V, 220 V | coloured
vacuum-bag | Small Appliances > Parts and Accessories | Dust Bags | Paper, Anti-Allergy | kitchenware | | | for=vacuum
vacuum-filter | Small Appliances > Parts and Accessories | HEPA Filter | Washable, Double | kitchenware | | | for=vacuum
blender | Small Appliances > Blenders | Blender | High-Speed, Portable | kitchen | LQ-8, LQ-12 | 1.5 L, 2 L, 3 L | coloured
microwave | Appliances > Microwaves | Microwave | Built-in, Grill | appliances | MW-20, MW-34 | 20 L, 34 L |
washer | Appliances > Washing Machines | Washing Machine | Front Load, Top Load | appliances | LV-11, LV-15 | 11 kg, 15 kg |
fridge | Appliances > Refrigerators | Refrigerator | Frost Free, French Door, Compact | appliances | GF-380, GF-450 | 380 L, 450 L |
iron | Small Appliances > Irons | Iron | Steam, Dry | kitchen | FP-5, FP-9 | 110 V, 220 V |
fan | Small Appliances > Fans | Fan | Desk, Tower, Ceiling | kitchen | VT-30, VT-40 | 12 in, 16 in |
mattress | Home > Mattresses | Mattress | Spring, Memory Foam | bedding | | 54 x 75 in, 60 x 80 in, 38 x 75 in |
sheets | Home > Bedding | Sheet Set | Cotton, Microfibre | bedding | | Single, Double, Queen | coloured
towel | Home > Towels | Towel | Bath, Hand, Beach | bedding | | 27 x 54 in, 16 x 28 in | coloured
pan | Home > Pans | Frying Pan | Nonstick, Cast Iron, Stainless Steel | kitchenware | | 8 in, 10 in, 12 in | coloured
pressure-cooker | Home > Pressure Cookers | Pressure Cooker | Electric, Aluminium | kitchenware | | 4.5 L, 6 L, 7 L |
knife | Home > Knives | Knife | Chef's, Bread, Paring | kitchenware | | 6", 8" |
lamp | Home > Lamps | Lamp | Desk, Floor, Pendant | furniture | | | coloured
desk | Home > Desks | Desk | Standing, Writing | furniture | | 40 in, 55 in | coloured
chair | Home > Chairs | Chair | Office, Gaming, Dining | furniture | | | coloured
bookcase | Home > Bookcases | Bookcase for Books | Wooden, Children's | furniture | | |
rug | Home > Rugs | Rug | Shaggy, Geometric | furniture | | 5' x 8', 8' x 10' | coloured
umbrella | Accessories > Umbrellas | Umbrella | Automatic, Folding, Kids | wear | | | coloured
drill | Tools > Drills | Drill | Hammer, Cordless | tools | FD-550, FD-700 | 110 V, 220 V |
drill-bit | Tools > Drill Bits | Drill Bit | High-Speed Steel, Masonry | tools | | 1/4", 3/8", 1/2" | for=drill
screw | Tools > Screws | Screw | Hex, Phillips | tools | | 1/2", 1", 1 1/2", 2" |
pipe | Building > Pipes and Fittings | Elbow | PVC, Threaded | tools | | 1/2", 3/4", 1" |
ladder | Tools > Ladders | Ladder | Aluminium, Folding | tools | | 5 steps, 7 steps |
sneakers | Shoes > Trainers | Shoes | Running, Casual, Walking | shoes | | Men's, Women's | coloured
boots | Shoes > Boots | Boots | Knee-High, Combat, Hiking | shoes | | Men's, Women's | coloured
slippers | Shoes > Flip-flops | Flip-flops | Beach, Slide | shoes | | | coloured
shirt | Clothing > T-shirts | T-shirt | Basic, Printed, Sleeveless | wear | | Men's, Women's | coloured
trousers | Clothing > Trousers | Trousers | Jeans, Cargo, Leggings | wear | | Men's, Women's | coloured
skirt | Clothing > Skirts | Skirt | Midi, Pleated, Denim | wear | | | coloured
dress | Clothing > Dresses | Dress | Maxi, Short, Party | wear | | | coloured
socks | Clothing > Socks | Socks | Compression, Ankle | wear | | | coloured for=sneakers
watch | Accessories > Watches | Watch | Digital, Analogue, GPS | watches | R7, R9 | | coloured
watch-strap | Accessories > Straps | Strap | Silicone, Steel | covers | | | coloured for=watch
backpack | Accessories > Backpacks | Backpack | School, Travel | wear | | 20 L, 30 L | coloured
sunglasses | Accessories > Sunglasses | Sunglasses | Aviator, Round | wear | | | coloured
shampoo | Beauty > Shampoos | Shampoo | Moisturising, Anti-Hair Loss, Baby | beauty | | 300 ml, 1 L |
sunscreen | Beauty > Sunscreens | Sunscreen | Face, Body, Kids | beauty | | SPF 30, SPF 50, SPF 70 |
perfume | Beauty > Perfumes | Perfume | Floral, Woody | beauty | | 50 ml, 100 ml |
moisturiser | Beauty > Moisturisers | Moisturiser | Face, Body | beauty | | 200 ml, 400 ml |
coffee | Groceries > Coffee > Beans and Ground | Coffee | Whole Bean, Ground | coffees | | 250 g, 500 g, 1 kg |
olive-oil | Groceries > Oils | Olive Oil | Extra Virgin, Organic | foods | | 250 ml, 500 ml |
soda | Groceries > Soft Drinks | Soda | Ginger, Cola, Orange | foods | | 350 ml, 1.5 L, 2 L |
rice | Groceries > Rice | Rice | White, Brown | foods | | 1 kg, 5 kg |
wine | Groceries > Wines | Wine | Red, White, Rosé | wines | | 750 ml |
chocolate | Groceries > Chocolates | Chocolate | Milk, Dark 70%, White | foods | | 90 g, 1 kg |
pet-food | Pets > Food | Food | Dog, Cat | foods | | 1 kg, 10.1 kg, 15 kg |
diaper | Baby > Diapers | Diapers | Disposable, Overnight | toys | | S, M, L |
doll | Toys > Dolls | Doll | Rag, Jointed, Baby | toys | | |
blocks | Toys > Building Blocks | Building Blocks | City, Space, Farm | toys | | 300 pieces, 1000 pieces |
puzzle | Toys > Puzzles | Jigsaw Puzzle | Landscape, Kids | toys | | 500 pieces, 1000 pieces |
ball | Sports > Balls | Football | Training, Match, Indoor | sports | | |
bike | Sports > Bikes | Bike | Mountain, City, Kids | sports | BK-21, BK-24 | 20 in, 26 in, 29 in | coloured
bike-lock | Sports > Accessories | Lock | Combination, Key | sports | | | for=bike
helmet | Sports > Helmets | Helmet | City, Kids | sports | | | coloured for=bike
yoga-mat | Sports > Yoga | Yoga Mat | Nonslip, Travel | sports | | 4 mm, 6 mm | coloured
tales | Books > Children > Tales | Children's Book | of Tales, of Fables, Illustrated | books | | | book
crime | Books > Fiction > Thrillers | Thriller | Crime, Psychological | books | | | book
biography | Books > Nonfiction > Biographies | Biography | of Artists, of Scientists | books | | | book
`,
};
