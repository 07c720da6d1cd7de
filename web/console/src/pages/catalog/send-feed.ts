import { ApiFailure, failureOf, OWN_REQUEST } from '../../api/client.ts';

export interface Sending {
  file: File;
  mode: 'full' | 'partial';
  dryRun: boolean;
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Sends a file as it is, since no fetch tells how far it is. Answers the job; rejects with ApiFailure, also where `signal` stops it. */
export function sendFeed(
  store: string,
  { file, mode, dryRun }: Sending,
  { progress, signal }: { progress(share: number): void; signal: AbortSignal },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ mode, dryRun: String(dryRun) });
    request.open('POST', `/admin/stores/${encodeURIComponent(store)}/imports?${query.toString()}`);
    for (const [name, value] of Object.entries(OWN_REQUEST)) request.setRequestHeader(name, value);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded, total }) => progress(total === 0 ? 1 : loaded / total));
    request.addEventListener('load', () => {
      const body = Object(jsonOf(request.responseText)) as { jobId?: unknown };
      if (request.status === 202 && typeof body.jobId === 'string') resolve(body.jobId);
      else reject(failureOf(request.status, body));
    });
    const lost = (): void => reject(new ApiFailure(0, 'unreachable', ''));
    request.addEventListener('error', lost);
    request.addEventListener('abort', lost);
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
