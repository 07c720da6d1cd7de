import { loadStart } from './start-bundle';

void loadStart().exports.start();
