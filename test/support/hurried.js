// Loaded into a service before its own code (`hurried` in service-process.ts): its clock is so many milliseconds ahead, and what it does once or
// twice a minute it does once a second.
const { now } = Date;
const { setInterval: every } = globalThis;
const ahead = Number(process.env['HURRIED_MS']);
const MINUTES = [60_000, 30_000];
const SECOND = 1000;

Date.now = () => now() + ahead;
globalThis.setInterval = (work, ms, ...more) => every(work, MINUTES.includes(ms) ? SECOND : ms, ...more);
