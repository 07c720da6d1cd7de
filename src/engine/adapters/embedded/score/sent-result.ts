import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { FacetKind } from '../../../facets';
import type { EngineResult, Facet, FacetValue } from '../../../search-engine';

type ValuesFacet = Extract<Facet, { values: FacetValue[] }>;
type Field = string | number | null;
type SentValues = Exclude<Facet, ValuesFacet> | (Omit<ValuesFacet, 'values'> & { fields: Field[] });

/**
 * A result as it crosses from the search thread: its facets as the bytes of one text, which are outside of V8's heaps and quick to copy. In it the values of a facet are one list of their fields, read faster than an object for each of hundreds.
 */
export interface SentResult extends Omit<EngineResult, keyof SentFacets>, SentFacets {}

export interface SentFacets {
  facets: Uint8Array;
  facetsName: string;
  /** Whether `facets` are deflated (RFC 1951). Only those that were kept may be. */
  isDeflated?: boolean;
}

const FIELDS = 5;
/** Bytes of facets that are kept as they are. */
const FEW_BYTES = 2000;
/** As quick as it gets: of the facets of a query (27 KB, a catalog of 100,000) a fifth is left. A smaller window is made ready faster. */
const DEFLATE = { level: 1, memLevel: 5, windowBits: 13 };
const encoder = new TextEncoder();

export function sendFacets(facets: EngineResult['facets']): SentFacets {
  const entries = Object.entries(facets) as [FacetKind, Facet][];
  const text = JSON.stringify(entries.map(([kind, facet]) => [kind, sendFacet(facet)]));
  return { facets: encoder.encode(text), facetsName: hash('sha1', text, 'base64url') };
}

/** For what is kept: it is inflated where facets are looked at. */
export function deflated(sent: SentFacets): SentFacets {
  if (sent.facets.length < FEW_BYTES) return sent;
  // A copy: zlib answers with a part of a larger buffer, all of which would be kept, and sent.
  return {
    facets: new Uint8Array(deflateRawSync(sent.facets, DEFLATE)),
    facetsName: sent.facetsName,
    isDeflated: true,
  };
}

function sendFacet(facet: Facet): SentValues {
  if (!('values' in facet)) return facet;
  const { values, ...rest } = facet;
  const fields: Field[] = [];
  for (const { key, label, parent, idO, size } of values) fields.push(key, label, parent, idO, size);
  return { ...rest, fields };
}

/** The facets are read where they are looked at: of most searches a reply has them already, by their name. */
export function receiveResult({ facets: bytes, isDeflated = false, ...sent }: SentResult): EngineResult {
  let facets: EngineResult['facets'] | undefined;
  return {
    ...sent,
    get facets() {
      return (facets ??= receiveFacets(isDeflated ? inflateRawSync(bytes, { windowBits: DEFLATE.windowBits }) : bytes));
    },
  };
}

function receiveFacets({ buffer, byteOffset, byteLength }: Uint8Array): EngineResult['facets'] {
  const facets = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString()) as [FacetKind, SentValues][];
  return Object.fromEntries(facets.map(([kind, facet]) => [kind, receiveFacet(facet)]));
}

function receiveFacet(sent: SentValues): Facet {
  if (!('fields' in sent)) return sent;
  const { fields, ...rest } = sent;
  const values: FacetValue[] = [];
  for (let at = 0; at < fields.length; at += FIELDS) {
    values.push({
      key: fields[at] as string,
      label: fields[at + 1] as string,
      parent: fields[at + 2] as string | null,
      idO: fields[at + 3] as string,
      size: fields[at + 4] as number,
    });
  }
  return { ...rest, values };
}
