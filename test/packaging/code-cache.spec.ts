import { execFileSync } from 'node:child_process';
import { projectRoot } from '../../src/storage/threads';
import { environmentOf, stagesOf } from '../image/dockerfile';
import { read } from './manifests';

const ASKED = "process.stdout.write(String(require('./dist/start-bundle').loadStart().cached))";

/** Whether a start takes what the build has compiled, under these options of Node. */
const isTaken = (options: string): string =>
  execFileSync(process.execPath, ['-e', ASKED], {
    cwd: projectRoot,
    env: { ...process.env, NODE_OPTIONS: options },
    encoding: 'utf8',
  });

it("a start takes what the build has compiled, under the image's options, too", () => {
  const image = stagesOf(read('Dockerfile')).at(-1);
  const options = image && environmentOf(image)['NODE_OPTIONS'];
  expect(options).toContain('--max-semi-space-size');
  expect(isTaken('')).toBe('true');
  expect(isTaken(options ?? '')).toBe('true');
});

it('a start under other flags of V8 compiles the code itself', () => {
  expect(isTaken('--max-old-space-size=512')).toBe('false');
});
