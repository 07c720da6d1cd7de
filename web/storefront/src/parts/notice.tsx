import type { ReactNode } from 'react';
import { Refused } from '../shop/api';
import { useWords } from '../words';

/** What stands where something can't be shown. */
export function Notice({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <div className="notice" role="status">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** The service went away, or refused: it says which, and asks again. */
export function Failure({ error, again }: { error: unknown; again: () => void }): ReactNode {
  const words = useWords();
  const isRefusal = error instanceof Refused && error.status < 500 && error.status !== 429;
  return (
    <Notice title={isRefusal ? words.refused : words.away}>
      <p>{isRefusal ? error.message : words.awayHint}</p>
      <button type="button" className="button" onClick={again}>
        {words.again}
      </button>
    </Notice>
  );
}

export function Loading(): ReactNode {
  return (
    <p className="loading" role="status">
      {useWords().loading}
    </p>
  );
}
