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

const optionsIn = (text: string): string => /NODE_OPTIONS: (.+)/.exec(text)?.[1] ?? '';

it('a start takes what the build has compiled, under the options of the image, of compose and of Kubernetes, too', () => {
  const image = stagesOf(read('Dockerfile')).at(-1);
  const ofImage = (image && environmentOf(image)['NODE_OPTIONS']) ?? '';
  const given = [ofImage, optionsIn(read('docker-compose.yml')), optionsIn(read('ops/kubernetes/settings.yaml'))];
  for (const options of given) expect(options).toContain('--max-semi-space-size');
  expect(['', ...given].map(isTaken)).toEqual(['true', 'true', 'true', 'true']);
});

it('a start under other flags of V8 compiles the code itself', () => {
  expect(isTaken('--max-old-space-size=512')).toBe('false');
});
