import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

/** Lint allows seven, for it can't tell constructors, whose parameters are injected by name, from other functions. */
const MOST = 5;

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && entry.name.endsWith('.ts')) yield join(entry.parentPath, entry.name);
  }
}

/** `name: 6 parameters` of every function of a source that has too many. */
function tooMany(name: string, text: string): string[] {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && !ts.isConstructorDeclaration(node) && node.parameters.length > MOST) {
      const { line } = source.getLineAndCharacterOfPosition(node.pos);
      found.push(`${name}:${line + 1}: ${node.parameters.length} parameters`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('functions', () => {
  it(`have at most ${MOST} parameters`, () => {
    const files = ['src', 'test', 'bench'].flatMap((folder) => [...filesIn(folder)]);
    expect(files.length).toBeGreaterThan(400);
    expect(files.flatMap((file) => tooMany(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('are counted without constructors', () => {
    const six = '(a: 1, b: 2, c: 3, d: 4, e: 5, f: 6)';
    expect(tooMany('constructor.ts', `class A { constructor${six} {} }`)).toEqual([]);
    expect(tooMany('method.ts', `class A { method${six} {} }`)).toEqual(['method.ts:1: 6 parameters']);
    expect(tooMany('arrow.ts', `\nconst a = ${six} => 1;`)).toEqual(['arrow.ts:2: 6 parameters']);
  });
});
