import { ApiError } from '../shared/api-error';
import type { Caller } from '../stores/store';

/** Throws where who calls may not ask why (contract 2). */
export function assertMayExplain({ method }: Caller, explain: boolean | undefined): void {
  if (!explain || method === 'keys') return;
  throw new ApiError('forbidden', 'explain needs apiKey and secretKey: an Origin identifies, it proves nothing');
}
