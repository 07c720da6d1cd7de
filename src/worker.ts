import { start } from './start';

// The same as main.js with ROLE=worker.
void start('worker');
