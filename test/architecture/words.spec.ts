import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

interface Retired {
  /** Parts of names and words of comments, in lower case. */
  word: RegExp;
  instead: string;
  /** Where it was that thing; absent: everywhere. */
  within?: RegExp;
  /** Where it is another thing, or the contract's own name. */
  except?: RegExp;
  /** In plain English it stays. */
  namesOnly?: boolean;
}

/** docs/architecture.md has the words that are used. */
const retired: readonly Retired[] = [
  { word: /^(fold|folds|folded|folding)$/, instead: 'aggregate (events), normalise (text)' },
  // A field of the vector's reply (contract), and the name of a key in Redis.
  {
    word: /^overlays?$/,
    instead: 'recent events',
    except: /vector-view\.ts$|adapters\/redis\/|e2e\/behaviour\/profiles/,
  },
  { word: /^marks$/, instead: 'pending markers', namesOnly: true },
  { word: /^drafts$/, instead: 'planned writes' },
  { word: /^(procedures?)$/, instead: 'writer command' },
  { word: /^(gather|gathers|gathered|gathering|gatherer)$/, instead: 'batch' },
  { word: /^(lore)$/, instead: 'product stats' },
  { word: /^(shelf|shelves)$/, instead: 'inventory' },
  { word: /^leftovers?$/, instead: 'orphaned claims' },
  {
    word: /^adds$/,
    instead: 'feature weights',
    namesOnly: true,
    // Stored so in Redis.
    except: /redis-ranking-sessions/,
    within: /^(src\/(ranking|engine|search)|test\/(builders|contract|quality))\//,
  },
  { word: /^places?$/, instead: 'index, slot or location', within: /^src\//, namesOnly: true },
  // A field of the reply that tells whether the ledger adds up.
  { word: /^sums$/, instead: 'rollups', within: /showcase/, except: /reply-schemas|ledger-check|cli\.spec/ },
  // A line of an export has it, too.
  {
    word: /^hit$/,
    instead: 'interaction',
    within: /^src\/(showcase|archive)\//,
    except: /-archive\.ts$|restore-ledger|product-search/,
  },
  { word: /^(ratewindows|repeatwindow|sharedtopic|oncekeys?|errorword)$/, instead: 'the name it has now' },
];

const root = join(__dirname, '../..');

function sources(): string[] {
  return ['src', 'test', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
}

/** `aHitIndex` -> `ahitindex`, `a`, `hit`, `index`. */
function partsOf(name: string): string[] {
  const parts = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return [name, ...parts].map((part) => part.toLowerCase());
}

interface Words {
  names: Set<string>;
  comments: Set<string>;
}

/** Texts are left out: stored names stand there. */
function wordsOf(file: string): Words {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const names = new Set<string>();
  const comments = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) for (const part of partsOf(node.text)) names.add(part);
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      for (const word of text.slice(pos, end).match(/[A-Za-z]+/g) ?? []) comments.add(word.toLowerCase());
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { names, comments };
}

test('no retired word is left in names and comments', () => {
  const found: string[] = [];
  for (const file of sources()) {
    if (file === 'test/architecture/words.spec.ts') continue;
    const { names, comments } = wordsOf(file);
    for (const { word, instead, within, except, namesOnly } of retired) {
      if ((within && !within.test(file)) || except?.test(file)) continue;
      for (const used of new Set([...names, ...(namesOnly ? [] : comments)]))
        if (word.test(used)) found.push(`${file}: ${used} (${instead})`);
    }
  }
  expect(found).toEqual([]);
});

test('two things that are compared are a and b', () => {
  const pair = /[([{]one, other[)\]}]/;
  const files = sources().filter((file) => !file.endsWith('words.spec.ts'));
  expect(files.filter((file) => pair.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
