import { aProduct } from '../builders/a-product';

const KINDS = ['Corrida', 'Trilha', 'Passeio'];
const BRANDS = ['Veloz', 'Calma', 'Norte & Sul'];
const COLOURS = ['Azul', 'Verde', 'Preto'];

/** 36 shoes, 12 of each kind, brand and colour, at 50 to 400; four lamps, two of them at half their price, of a name that says what markup would do. */
export function shoes(): Record<string, unknown>[] {
  const shoe = (index: number): Record<string, unknown> => {
    const [kind, brand, colour] = [
      KINDS[index % 3],
      BRANDS[Math.floor(index / 3) % 3],
      COLOURS[Math.floor(index / 9) % 3],
    ];
    const id = `shoe-${String(index + 1).padStart(2, '0')}`;
    return aProduct({
      id,
      brand,
      name: `Tênis ${kind} ${index + 1}`,
      description: `Um tênis de ${kind} leve, para quem anda muito todos os dias e quer um par que dure`,
      price: 50 + index * 10,
      categories: [`Moda > Calçados > ${kind}`],
      tags: index % 2 === 0 ? ['Promoção'] : ['Novo'],
      specs: { Tamanho: [String(38 + (index % 4))] },
      details: { Cor: colour },
      status: index < 30 ? 'available' : 'unavailable',
      url: `https://loja.example/${id}`,
    });
  };
  const lamp = (index: number): Record<string, unknown> =>
    aProduct({
      id: `lamp-${index}`,
      brand: 'Luz',
      name: `Luminária <img src=x onerror="window.hurt=1"> ${index}`,
      price: 900,
      ...(index <= 2 ? { oldPrice: 1800 } : {}),
      categories: ['Casa > Iluminação'],
      url: `https://loja.example/lamp-${index}`,
    });
  return [...Array.from({ length: 36 }, (_, index) => shoe(index)), ...[1, 2, 3, 4].map(lamp)];
}
