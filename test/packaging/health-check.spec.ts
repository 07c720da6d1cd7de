import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/storage/threads';
import { describeModes } from '../support/modes';
import { imageEnvironment as env } from './manifests';
import { ServiceProcess } from '../support/service-process';

const image = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
const [, check = '[]'] = /^HEALTHCHECK .*? CMD (\[.+\])$/m.exec(image) ?? [];

async function checkAt(port: number): Promise<number> {
  const [, ...args] = JSON.parse(check) as string[];
  const child = spawn(process.execPath, args, { env: { ...env, PORT: String(port) }, stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number];
  return code;
}

test('the image names the port that its check asks, so that a worker answers there, too', () => {
  expect(env['PORT']).toBe('3000');
  expect(image).toContain(`EXPOSE ${env['PORT']}`);
});

describeModes((mode) => {
  const entries = mode.name === 'production' ? (['main', 'worker'] as const) : (['main'] as const);

  it.each(entries)(
    'the check of the image finds the process healthy that "%s" is, and nobody where it has ended',
    async (entry) => {
      const place = mode.place();
      const service = await ServiceProcess.start({ ...place.env, NODE_OPTIONS: env['NODE_OPTIONS'] ?? '' }, entry);
      expect(await checkAt(service.port)).toBe(0);
      expect((await service.stop()).code).toBe(0);
      expect(await checkAt(service.port)).toBe(1);
      await place.remove();
    },
  );
});
