import { ApiError } from '../api-error';

/** Nothing of the request was done. One for all: thousands a second must cost next to nothing, and a stack says nothing here. */
export const overloaded = new ApiError('overloaded', 'The service has more to do than it can; try again', {
  retryAfter: 1,
});

export const tooLate = (): ApiError =>
  new ApiError('unavailable', 'This was not answered in time; try again', { retryAfter: 1 });
