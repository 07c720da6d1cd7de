import { stemmerOf } from './stems';

describe('stems', () => {
  it.each([
    ['pt-BR', 'calcao', 'calcoes'],
    ['pt', 'papel', 'papeis'],
    ['pt', 'facil', 'faceis'],
    ['pt', 'flor', 'flores'],
    ['pt', 'luz', 'luzes'],
    ['pt', 'viagem', 'viagens'],
    ['pt', 'pao', 'paes'],
    ['pt', 'mao', 'maos'],
    ['pt', 'azul', 'azuis'],
    ['pt', 'lencol', 'lencois'],
    ['pt', 'perfil', 'perfis'],
    ['pt', 'frase', 'frases'],
    ['pt', 'avental', 'aventais'],
    ['pt', 'preto', 'preta'],
    ['pt', 'preto', 'pretas'],
    ['pt', 'masculino', 'masculina'],
    ['es', 'blanco', 'blanca'],
    ['es', 'blancos', 'blancas'],
    ['es', 'camion', 'camiones'],
    ['es', 'luz', 'luces'],
    ['es', 'coche', 'coches'],
    ['es', 'reloj', 'relojes'],
    ['es', 'pantalon', 'pantalones'],
    ['en', 'shoe', 'shoes'],
    ['en', 'box', 'boxes'],
    ['en', 'watch', 'watches'],
    ['en', 'dress', 'dresses'],
    ['en', 'battery', 'batteries'],
    ['en', 'knife', 'knives'],
    ['en', 'shelf', 'shelves'],
    ['en', 'glove', 'gloves'],
    ['en', 'woman', 'women'],
    ['en', 'movie', 'movies'],
  ])('in %s unite %s and %s', (language, singular, plural) => {
    expect(stemmerOf(language)(plural)).toBe(stemmerOf(language)(singular));
  });

  it.each([
    ['pt', 'bolsa', 'bolso'],
    ['pt', 'meia', 'meio'],
    ['pt', 'fada', 'fado'],
    ['es', 'blusa', 'bluso'],
    ['en', 'preta', 'preto'],
    ['en', 'universal', 'university'],
    ['en', 'glass', 'gla'],
    ['pt', '500gs', '500g'],
  ])('in %s keep %s and %s apart', (language, a, b) => {
    expect(stemmerOf(language)(a)).not.toBe(stemmerOf(language)(b));
  });

  it('keep words of a language they do not know', () => {
    expect(stemmerOf('sw')('vitabus')).toBe('vitabus');
  });

  it('has Snowball for other languages it knows', () => {
    const german = stemmerOf('de-AT');
    expect(german('schuhe')).toBe(german('schuh'));
    const french = stemmerOf('fr');
    expect(french('chaussures')).toBe(french('chaussure'));
  });
});
