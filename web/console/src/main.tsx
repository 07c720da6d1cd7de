import '@mantine/core/styles.css';
import './app/console.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { LanguageProvider } from './app/language.tsx';
import { SessionProvider } from './app/session.tsx';
import { cssVariables, styleNonce, theme } from './app/theme.ts';

const root = document.querySelector('#root');
if (!root) throw new Error('The page has no #root');
// Where the library's dialogs look for it, which hold the page still by a style of their own.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
      cssVariablesResolver={cssVariables}
    >
      <LanguageProvider>
        <SessionProvider>
          <App />
        </SessionProvider>
      </LanguageProvider>
    </MantineProvider>
  </StrictMode>,
);
