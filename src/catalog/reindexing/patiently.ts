import { ApiError } from '../../shared/api-error';

export const mayPass = (error: unknown): boolean => error instanceof ApiError && error.code === 'unavailable';

/** Waits for a storage that does not answer at the moment: to begin a whole index anew costs more. */
export const PATIENTLY = { times: 60, pauseMs: 1000, steady: true, again: mayPass };
