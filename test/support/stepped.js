// Loaded into a service before its own code (`stepped` in service-process.ts): its clock is as many milliseconds ahead as a file says.
const { readFileSync } = require('node:fs');

const { now } = Date;
const file = process.env['CLOCK_FILE'];
const LOOK_EVERY_MS = 20;
let ahead = 0;
let looked = -Infinity;

Date.now = () => {
  const at = performance.now();
  if (at - looked > LOOK_EVERY_MS) {
    looked = at;
    ahead = Number(readFileSync(file, 'utf8'));
  }
  return now() + ahead;
};
