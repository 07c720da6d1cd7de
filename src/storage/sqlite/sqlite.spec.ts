import { openDatabase, Statements } from './sqlite';

test('a database that is closed refuses what is asked of it; the driver itself would abort the process', () => {
  const statements = new Statements(openDatabase(':memory:'));
  expect(statements.one('SELECT 1')).toEqual([1]);
  statements.close();
  const refusal = expect.objectContaining({ code: 'unavailable' });
  for (const ask of [
    () => statements.one('SELECT 1'),
    () => statements.all('SELECT 2'),
    () => statements.exec('BEGIN'),
  ]) {
    expect(ask).toThrow(refusal);
  }
});
