import type { Explanation, PersonalBoost } from './score';

export interface Difference {
  /** `text`, the name of a boost, or `personal`. */
  name: string;
  own: number;
  above: number;
  /** What this part of the score would have to be multiplied by to be as large as the other product's. */
  ratio: number;
  /** Of `personal`: what adds to one of them alone, or more to one of them. */
  parts?: { name: string; own: number; above: number }[];
}

/** Smaller ones are rounding. */
const LEAST = 1e-9;

const isPersonal = (boost: Explanation['boosts'][number]): boost is PersonalBoost => 'parts' in boost;

/** In what two scores differ, the part that tells them apart most first. The ratios of all multiply to the ratio of the scores. */
export function scoreDifferences(own: Explanation, above: Explanation): Difference[] {
  const names = [...new Set([...own.boosts, ...above.boosts].map(({ name }) => name))];
  const factorOf = ({ boosts }: Explanation, name: string): number =>
    boosts.find((boost) => boost.name === name)?.factor ?? 1;
  const all = [
    differenceOf('text', own.text, above.text),
    ...names.map((name) => ({
      ...differenceOf(name, factorOf(own, name), factorOf(above, name)),
      ...(name === 'personal' ? { parts: personalParts(own, above) } : {}),
    })),
  ];
  const told = all.filter(({ ratio }) => Math.abs(ratio - 1) > LEAST);
  return told.sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)));
}

const differenceOf = (name: string, own: number, above: number): Difference => ({
  name,
  own,
  above,
  ratio: own === 0 ? (above === 0 ? 1 : Number.MAX_VALUE) : above / own,
});

function personalParts(own: Explanation, above: Explanation): NonNullable<Difference['parts']> {
  const partsOf = ({ boosts }: Explanation) =>
    new Map(boosts.find(isPersonal)?.parts.map(({ name, add }) => [name, add]));
  const [ours, theirs] = [partsOf(own), partsOf(above)];
  const names = [...new Set([...ours.keys(), ...theirs.keys()])];
  const parts = names.map((name) => ({ name, own: ours.get(name) ?? 0, above: theirs.get(name) ?? 0 }));
  const apart = (part: { own: number; above: number }): number => Math.abs(part.above - part.own);
  return parts.filter((part) => apart(part) > LEAST).sort((a, b) => apart(b) - apart(a));
}
