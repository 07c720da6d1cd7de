import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { projectRoot } from '../../src/storage/threads';

const WIDGETS = `
  import instantsearch from 'instantsearch.js';
  import * as widgets from 'instantsearch.js/es/widgets';
  import { history } from 'instantsearch.js/es/lib/routers';
  import { singleIndex } from 'instantsearch.js/es/lib/stateMappings';
  import { createElement } from 'react';
  import { createRoot } from 'react-dom/client';
  import * as react from 'react-instantsearch';
  import { autocomplete, getAlgoliaFacets, getAlgoliaResults } from '@algolia/autocomplete-js';
  import * as vitrine from './src/index';
  Object.assign(window, { instantsearch, widgets, history_: history, singleIndex, createElement, createRoot, react,
    autocomplete, getAlgoliaFacets, getAlgoliaResults, adapter: vitrine });
`;

/** The real widgets and the adapter as one script, whose parts are globals of the page. */
export function pageBundle(): string {
  const { outputFiles } = buildSync({
    stdin: { contents: WIDGETS, resolveDir: join(projectRoot, 'web', 'instantsearch'), loader: 'ts' },
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
