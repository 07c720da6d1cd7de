import type { estypes } from '@elastic/elasticsearch';
import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';

/** A piece of a body; `data`: gzip, as base64. */
export interface FilePart {
  file: string;
  /** When it was written, epoch ms. */
  at: number;
  data: string;
}

/** Written last: with it, a file is whole. */
export interface FileHead {
  file: string;
  at: number;
  /** Of the body as it was sent. */
  bytes: number;
  parts: number;
}

/** Files that are looked at in one sweep. */
const MOST_FILES = 100;

export const headId = (file: string): string => `head-${file}`;
export const partId = (file: string, part: number): string => `part-${file}-${part}`;

export function partOperation(index: string, part: number, document: FilePart): BulkOperation {
  return { type: 'index', index, id: partId(document.file, part), document: JSON.stringify(document) };
}

export function headOperation(index: string, document: FileHead): BulkOperation {
  return { type: 'index', index, id: headId(document.file), document: JSON.stringify(document) };
}

/** Some files with parts from before a time. */
export function oldFilesRequest(index: string, before: number): estypes.SearchRequest {
  return filesRequest(index, { range: { at: { lt: before } } });
}

/** Some files of a store; `lead`: how their names begin. */
export function storeFilesRequest(index: string, lead: string): estypes.SearchRequest {
  return filesRequest(index, { prefix: { file: lead } });
}

function filesRequest(index: string, filter: estypes.QueryDslQueryContainer): estypes.SearchRequest {
  return {
    index,
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [filter] } },
    aggs: { files: { terms: { field: 'file', size: MOST_FILES } } },
  };
}
