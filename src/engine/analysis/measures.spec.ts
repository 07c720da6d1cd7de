import { findMeasures } from './measures';
import { normalise } from './normalise';

const tokensOf = (text: string): string[][] => findMeasures(normalise(text)).map(({ tokens }) => tokens);

describe('measures', () => {
  it.each([
    ['1,5l', ['1500ml', '1.5']],
    ['1.5 L', ['1500ml', '1.5']],
    ['1500 ml', ['1500ml', '1500']],
    ['1.500 ml', ['1500ml', '1500']],
    ['1.500 kg', ['1500g', '1.5']],
    ['0,5 kg', ['500g', '0.5']],
    ['1/2', ['0.5']],
    ['½', ['0.5']],
    ['1 1/2"', ['38.1mm', '1.5']],
    ['1½”', ['38.1mm', '1.5']],
    ["5'", ['1524mm', '5']],
    ['8 in', ['203.2mm', '8']],
    ['8″', ['203.2mm', '8']],
    ['8 polegadas', ['203.2mm', '8']],
    ['256gb', ['256gb', '256']],
    ['1 TB', ['1024gb', '1']],
    ['5.000 mAh', ['5000mah', '5000']],
    ['1.234,5 g', ['1234.5g', '1234.5']],
    ['138 x 188', ['138x188', '1380x1880mm']],
    ['138x188 cm', ['138x188', '1380x1880mm']],
    ['1,38 x 1,88 m', ['1.38x1.88', '1380x1880mm']],
    ['1,38m x 1,88m', ['1.38x1.88', '1380x1880mm']],
    ['1,38mx1,88m', ['1.38x1.88', '1380x1880mm']],
    ['138cmx188cm', ['138x188', '1380x1880mm']],
    ['138cm x 188cm', ['138x188', '1380x1880mm']],
    ['138cm×188 cm', ['138x188', '1380x1880mm']],
    ['138cmx188cmx25cm', ['138x188x25', '1380x1880x250mm', '138x188', '1380x1880mm']],
    ['8inx10in', ['8x10', '203.2x254mm']],
    ["6'x8'", ['6x8', '1828.8x2438.4mm']],
    ['138×188×25', ['138x188x25', '1380x1880x250mm', '138x188', '1380x1880mm']],
  ])('%s', (text, tokens) => {
    expect(tokensOf(`de ${text} novo`)).toEqual([tokens]);
  });

  it.each([
    '50',
    'fps50',
    'WH-1000XM4',
    'xj-900 w',
    '2 in 1',
    '10/2024',
    '24/7',
    '2 in 1',
    '5mx',
    '4gbx',
    '1.2.3',
    "5 d'agua",
    'v8',
    'abc',
  ])('are none in %s', (text) => {
    expect(tokensOf(text)).toEqual([]);
  });

  it('take a quotation mark for inches only where none was opened', () => {
    expect(tokensOf('"iphone 15"')).toEqual([]);
    expect(tokensOf('tv 55" "smart"')).toEqual([['1397mm', '55']]);
  });

  it('are all found, in order', () => {
    expect(tokensOf('5\'8" e 2 kg')).toEqual([
      ['1524mm', '5'],
      ['203.2mm', '8'],
      ['2000g', '2'],
    ]);
  });
});
