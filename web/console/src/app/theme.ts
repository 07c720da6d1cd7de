import { createTheme, type CSSVariablesResolver } from '@mantine/core';

/** The green of the demo storefront, from its wash to its accent. */
const green = [
  '#edf5f2',
  '#d6e8e1',
  '#a9d0c3',
  '#7cbba6',
  '#58ab8f',
  '#3d977a',
  '#2b8369',
  '#1e7360',
  '#166654',
  '#0f5c4d',
] as const;

/** Dark enough for white text on it, and for itself on white. */
export const theme = createTheme({
  colors: { green },
  primaryColor: 'green',
  primaryShade: { light: 9, dark: 7 },
  cursorType: 'pointer',
});

/** The library's grey and red are too pale to read for some: these have a contrast of at least 4.5 with what is behind them. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});

/** The nonce of this reply: the page's policy allows no other style that a script makes. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
