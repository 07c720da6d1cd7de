import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { answerOf, api, type ApiFailure, knowSignedIn, SIGNED_IN, SIGNED_OUT } from '../api/client.ts';
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
  /** Whose session has ended by itself, until somebody is signed in again: the page waits for them. */
  ended: Session | null;
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
    { everyMs: LOOK_EVERY_MS, forAnybody: true },
  );
  useEffect(() => {
    addEventListener(SIGNED_OUT, reload);
    return () => removeEventListener(SIGNED_OUT, reload);
  }, [reload]);
  const last = useRef<Session | null>(null);
  if (data) last.current = data;
  const isSignedIn = Boolean(data);
  useEffect(() => {
    if (data) knowSignedIn();
  }, [data]);
  useEffect(() => {
    if (isSignedIn) dispatchEvent(new Event(SIGNED_IN));
  }, [isSignedIn]);
  const signIn = useCallback<SessionState['signIn']>(async (body) => {
    await answerOf(api.POST('/console/session', { body }));
    setRound((before) => before + 1);
  }, []);
  const signOut = useCallback(async () => {
    await answerOf(api.DELETE('/console/session'));
    last.current = null;
    setRound((before) => before + 1);
  }, []);
  const state = useMemo(
    () => ({ session: data, ended: data ? null : last.current, error, signIn, signOut, reload }),
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
  const { session: current, ended } = useSessionState();
  const session = current ?? ended;
  if (!session) throw new Error('A page is shown to nobody');
  return { ...session, isOps: session.role === 'ops', isForAll: session.store === null };
}
