import type { ReactNode } from 'react';

/** What is wider than a phone is moved by itself, with the keyboard too. */
export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="region" aria-label={label} tabIndex={0} style={{ overflowX: 'auto', maxWidth: '100%' }}>
      {children}
    </div>
  );
}
