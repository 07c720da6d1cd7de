import { parsers } from 'prettier/plugins/yaml';

/** A node of prettier's syntax tree, as far as it is needed here. */
interface Node {
  type: string;
  value?: string;
  anchor?: { value: string } | null;
  children?: (Node | null)[];
}

export type Yaml = string | null | Yaml[] | { [key: string]: Yaml };

/** YAML as compose files use it: mappings, lists, texts, anchors and merges. Every scalar is text. */
export function parseYaml(text: string): Yaml {
  const anchors = new Map<string, Yaml>();
  const only = (node: Node | null | undefined): Node | null => node?.children?.[0] ?? null;

  function valueOf(node: Node | null): Yaml {
    if (!node) return null;
    const value = shapeOf(node);
    if (node.anchor) anchors.set(node.anchor.value, value);
    return value;
  }

  function shapeOf(node: Node): Yaml {
    const { type, value = '', children = [] } = node;
    if (type === 'mapping' || type === 'flowMapping') return mappingOf(children);
    if (type === 'sequence' || type === 'flowSequence') return children.map((item) => valueOf(flow(item)));
    if (type === 'alias') return anchors.get(value) ?? null;
    return value;
  }

  const flow = (item: Node | null): Node | null =>
    item?.type === 'sequenceItem' || item?.type === 'flowSequenceItem' ? only(item) : item;

  function mappingOf(items: (Node | null)[]): { [key: string]: Yaml } {
    const mapping: { [key: string]: Yaml } = {};
    const merged: { [key: string]: Yaml } = {};
    for (const item of items) {
      const [key, value] = [only(item?.children?.[0]), only(item?.children?.[1])];
      const name = String(valueOf(key));
      if (name in mapping) throw new Error(`${name} is there twice`);
      const inner = valueOf(value);
      if (name === '<<') Object.assign(merged, inner);
      else mapping[name] = inner;
    }
    return { ...merged, ...mapping };
  }

  const root = parsers.yaml.parse(text, {} as never) as Node;
  return valueOf(only(root.children?.[0]?.children?.[1]));
}
