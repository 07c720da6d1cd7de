import { createTheme, type CSSVariablesResolver } from '@mantine/core';

/** Dark enough for white text on it, and for itself on white. */
export const theme = createTheme({ primaryShade: { light: 9, dark: 8 }, cursorType: 'pointer' });

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
