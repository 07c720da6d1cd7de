import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

export interface Matcher {
  label: string;
  operator: string;
  value: string;
}

/** A metric as an expression asks for it. */
export interface Selector {
  metric: string;
  matchers: Matcher[];
  /** Labels by which the aggregations around it divide it. */
  by: string[];
}

/** What a PromQL expression reads; throws where it is none. */
export function selectorsOf(expression: string): Selector[] {
  const tree = parser.parse(expression);
  const text = ({ from, to }: { from: number; to: number }): string => expression.slice(from, to);
  const selectors: Selector[] = [];
  tree.iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`No PromQL from character ${node.from} on: ${expression}`);
      if (node.name !== 'VectorSelector') return;
      const [name] = node.node.getChildren('Identifier');
      selectors.push({ metric: name ? text(name) : '', matchers: matchersOf(node.node), by: groupingOf(node.node) });
    },
  });
  return selectors;

  function matchersOf(node: SyntaxNode): Matcher[] {
    const [list] = node.getChildren('LabelMatchers');
    return (list?.getChildren('UnquotedLabelMatcher') ?? []).map((matcher) => {
      const part = (kind: string): string => matcher.getChildren(kind).map(text).join('');
      return { label: part('LabelName'), operator: part('MatchOp'), value: part('StringLiteral').slice(1, -1) };
    });
  }

  function groupingOf(node: SyntaxNode): string[] {
    const labels: string[] = [];
    for (let around = node.parent; around; around = around.parent) {
      const grouping = around.getChild('AggregateModifier')?.getChild('GroupingLabels');
      for (const label of grouping?.getChildren('LabelName') ?? []) labels.push(text(label));
    }
    return labels;
  }
}
