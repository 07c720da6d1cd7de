/** Milliseconds of a clock that all threads of a process share; `performance.now()` counts from the start of each. */
export function threadTime(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
