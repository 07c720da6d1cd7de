import { createVitrine } from 'vitrine-client';

/** What went wrong, as the service says it. `status` 0: it was not reached. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  constructor(
    readonly status: number,
    /** The service's code: `invalid_body`. */
    readonly code: string,
    message: string,
    readonly details: readonly { path: string; message: string }[] = [],
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

/** Told where the service no longer knows who is asking. */
export const SIGNED_OUT = 'vitrine:signed-out';
/** Told where somebody is signed in again. */
export const SIGNED_IN = 'vitrine:signed-in';

let signedOut = false;
addEventListener(SIGNED_OUT, () => (signedOut = true));
export const isSignedOut = (): boolean => signedOut;
/** Somebody is, as the service says. */
export const knowSignedIn = (): void => {
  signedOut = false;
};

/** Says that a request is the console's own: another site's page can't send it. */
export const OWN_REQUEST = { 'x-vitrine-console': '1' } as const;

/** Every route by its path. The cookie of the session comes along by itself. */
export const api = createVitrine({ baseUrl: location.origin, retries: 1 });

api.use({
  onRequest({ request }) {
    request.headers.set('x-vitrine-console', OWN_REQUEST['x-vitrine-console']);
    return request;
  },
  onResponse({ response }) {
    if (response.status === 401) dispatchEvent(new Event(SIGNED_OUT));
  },
});

interface ErrorBody {
  error?: unknown;
  message?: unknown;
  requestId?: unknown;
  details?: unknown;
}

/** The failure that a reply tells. */
export function failureOf(status: number, body: unknown): ApiFailure {
  const { error, message, requestId, details } = Object(body) as ErrorBody;
  return new ApiFailure(
    status,
    typeof error === 'string' ? error : 'unknown',
    typeof message === 'string' ? message : `${status}`,
    Array.isArray(details) ? (details as { path: string; message: string }[]) : [],
    typeof requestId === 'string' ? requestId : null,
  );
}

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a good reply: `await answerOf(api.GET('/admin/stores'))`. Throws ApiFailure. */
export async function answerOf<T>(call: Promise<Answer<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiFailure(0, 'unreachable', '');
  });
  if (!response.ok || error !== undefined) throw failureOf(response.status, error);
  return data as NonNullable<T>;
}
