import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { answerOf, api, type ApiFailure, SIGNED_OUT } from '../api/client.ts';
import { useLoaded } from '../api/hooks.ts';

export type Role = 'ops' | 'relevance';

export interface Session {
  role: Role;
  /** The only store it is for; null: all. */
  store: string | null;
  stores: readonly { apiKey: string; name: string }[];
  expiresAt: string;
}

interface SessionState {
  /** Undefined until it is known; null: nobody is signed in. */
  session: Session | null | undefined;
  error: ApiFailure | undefined;
  /** Exchanges a code or a token for a session. Throws ApiFailure. */
  signIn(proof: { code: string } | { token: string }): Promise<void>;
  signOut(): Promise<void>;
  /** Reads it again: a store has come or gone. */
  reload(): void;
}

const SessionContext = createContext<SessionState | null>(null);
/** A session that is used lives on; one that ended elsewhere is seen soon. */
const LOOK_EVERY_MS = 30_000;

export function SessionProvider({ children }: { children: ReactNode }) {
  const [round, setRound] = useState(0);
  const { data, error, reload } = useLoaded(
    `session ${round}`,
    async (signal) => (await answerOf(api.GET('/console/session', { signal }))).session,
    { everyMs: LOOK_EVERY_MS },
  );
  useEffect(() => {
    addEventListener(SIGNED_OUT, reload);
    return () => removeEventListener(SIGNED_OUT, reload);
  }, [reload]);
  const signIn = useCallback<SessionState['signIn']>(async (body) => {
    await answerOf(api.POST('/console/session', { body }));
    setRound((before) => before + 1);
  }, []);
  const signOut = useCallback(async () => {
    await answerOf(api.DELETE('/console/session'));
    setRound((before) => before + 1);
  }, []);
  const state = useMemo(
    () => ({ session: data, error, signIn, signOut, reload }),
    [data, error, signIn, signOut, reload],
  );
  return <SessionContext.Provider value={state}>{children}</SessionContext.Provider>;
}

export function useSessionState(): SessionState {
  const state = useContext(SessionContext);
  if (!state) throw new Error('useSessionState needs a SessionProvider');
  return state;
}

/** Of a page, which is only shown to somebody who is signed in. `isOps`: may change more than templates; `isForAll`: not of one store alone. */
export function useSession(): Session & { isOps: boolean; isForAll: boolean } {
  const { session } = useSessionState();
  if (!session) throw new Error('A page is shown to nobody');
  return { ...session, isOps: session.role === 'ops', isForAll: session.store === null };
}
