import { loadStart } from './start-bundle';

// The same as main.js with ROLE=worker.
void loadStart().exports.start('worker');
