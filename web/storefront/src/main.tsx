import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { loadTag } from './shop/tracker';
import './styles.css';
import './panel/panel.css';

const root = document.querySelector('#root');
if (!root) throw new Error('The page has no #root');
loadTag();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
