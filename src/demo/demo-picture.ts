import { shapes } from './demo-shapes';

/** A colour as shoppers call it, and as hue, saturation and lightness. */
export interface Colour {
  name: string;
  slug: string;
  hsl: [hue: number, saturation: number, lightness: number];
}

export const colours: readonly Colour[] = [
  { name: 'Preto', slug: 'preto', hsl: [220, 8, 24] },
  { name: 'Branco', slug: 'branco', hsl: [210, 14, 78] },
  { name: 'Azul', slug: 'azul', hsl: [214, 68, 48] },
  { name: 'Vermelho', slug: 'vermelho', hsl: [4, 70, 52] },
  { name: 'Verde', slug: 'verde', hsl: [150, 45, 40] },
  { name: 'Rosa', slug: 'rosa', hsl: [338, 68, 64] },
  { name: 'Cinza', slug: 'cinza', hsl: [215, 10, 52] },
  { name: 'Amarelo', slug: 'amarelo', hsl: [44, 88, 54] },
  { name: 'Lilás', slug: 'lilas', hsl: [268, 46, 62] },
  { name: 'Marrom', slug: 'marrom', hsl: [24, 40, 38] },
];

/** Name of a product's picture file: everything needed to draw it is in there. */
export function pictureFile(productId: string, picture: string, colour: Colour): string {
  return `${productId}-${picture}-${colour.slug}.svg`;
}

/** The picture a file name asks for, as SVG; null where there is no such picture. */
export function drawPicture(file: string): string | null {
  const named = /^([a-z]\d{1,8})-([a-z]+)-([a-z]+)\.svg$/.exec(file);
  const shape = shapes.get(named?.[2] ?? '');
  const colour = colours.find(({ slug }) => slug === named?.[3]);
  if (!named || shape === undefined || !colour) return null;
  const [hue, saturation, lightness] = colour.hsl;
  const tone = (change: number): string =>
    `hsl(${hue} ${saturation}% ${Math.max(8, Math.min(94, lightness + change))}%)`;
  const drawn = shape
    .replaceAll('"C"', `"${tone(0)}"`)
    .replaceAll('"D"', `"${tone(-16)}"`)
    .replaceAll('"L"', `"${tone(28)}"`);
  // Same goods, different stage: the background moves with the product's number.
  const stage = (Number(named[1]?.slice(1)) * 47) % 360;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="600" height="600" role="img">',
    '<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1">',
    `<stop offset="0" stop-color="hsl(${stage} 45% 96%)"/><stop offset="1" stop-color="hsl(${stage} 40% 87%)"/>`,
    '</linearGradient></defs><rect width="200" height="200" fill="url(#g)"/>',
    '<ellipse cx="100" cy="172" rx="66" ry="8" fill="#1b2430" opacity=".12"/>',
    drawn,
    '</svg>',
  ].join('');
}
