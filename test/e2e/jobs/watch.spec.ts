import { spawn } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { JobQueue } from '../../../src/jobs/job-queue';
import { embeddedMode } from '../../support/modes';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const cli = join(__dirname, '../../../dist/cli.js');
const ESCAPE = '\u001b';
/** Milliseconds for several processes to start, on a busy machine. */
const LONGEST_MS = 120_000;
jest.setTimeout(LONGEST_MS);

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The command line calls routes, which are tested in every mode. */
describe('vitrine jobs watch', () => {
  let whole: WholeApp;
  let env: Record<string, string>;
  let goOn: (() => void)[] = [];
  /** Lets the job go on where what it waits for is shown: it may be shown before the job waits. */
  let advance = (): void => undefined;

  beforeAll(async () => {
    whole = await startWholeApp(embeddedMode);
    const jobs = whole.app.get(JobQueue, { strict: false });
    jobs.process<{ error?: string }>('test.steps', async ({ payload, progress, signal }) => {
      for (const done of [10, 500, 1000]) {
        await progress(done, 1000);
        signal.throwIfAborted();
        await new Promise<void>((resolve) => {
          goOn.push(resolve);
          advance();
          signal.addEventListener('abort', () => resolve());
        });
        signal.throwIfAborted();
      }
      if (payload.error !== undefined) throw new Error(payload.error);
      return { steps: 3 };
    });
    await whole.app.listen(0, '127.0.0.1');
    const { port } = whole.app.getHttpServer().address() as { port: number };
    env = { PATH: process.env['PATH'] ?? '', VITRINE_URL: `http://127.0.0.1:${port}`, VITRINE_TOKEN: whole.token() };
  });
  afterAll(() => whole.close());
  beforeEach(() => {
    goOn = [];
    advance = () => undefined;
  });

  const begun = (payload: object): Promise<string> =>
    whole.app
      .get(JobQueue, { strict: false })
      .enqueue({ kind: 'test.steps', store: '*', payload, attempts: 1, askedBy: 'ops:somebody' });

  /** Runs it to its end; the job goes on once what it shows says how far it is. */
  async function run(
    command: string,
    args: string[],
    shown: readonly string[],
    changed: Record<string, string> = {},
  ): Promise<Ended> {
    const child = spawn(command, args, { env: { ...env, ...changed }, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { stdout: '', stderr: '' };
    let steps = 0;
    advance = () => {
      const all = texts.stdout + texts.stderr;
      while (steps < shown.length && all.includes(shown[steps] ?? '') && goOn[steps]) goOn[steps++]?.();
    };
    const collect = (stream: Readable, into: keyof typeof texts): void => {
      stream.setEncoding('utf8').on('data', (text: string) => {
        texts[into] += text;
        advance();
      });
    };
    collect(child.stdout, 'stdout');
    collect(child.stderr, 'stderr');
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, ...texts };
  }
  const watch = (id: string, shown: readonly string[]): Promise<Ended> =>
    run(process.execPath, [cli, 'jobs', 'watch', id], shown);
  const STEPS = ['10 of 1,000 (1%)', '500 of 1,000 (50%)', '1,000 of 1,000 (100%)'];

  test('shows plain lines where its output is no terminal, then the job, and ends with 0', async () => {
    const id = await begun({});
    const { code, stdout, stderr } = await watch(id, STEPS);
    expect(code).toBe(0);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.map((line) => line.slice(0, 30))).toEqual(STEPS.map((step) => `test.steps ${step}`.slice(0, 30)));
    expect(stderr).not.toContain(ESCAPE);
    expect(stderr).not.toContain('\r');
    expect(JSON.parse(stdout)).toMatchObject({
      id,
      state: 'completed',
      askedBy: 'ops:somebody',
      result: { steps: 3 },
    });
  });

  test('shows a bar on a terminal', async () => {
    const id = await begun({});
    const { code, stdout } = await run(
      'script',
      ['-qec', `"${process.execPath}" "${cli}" jobs watch ${id}`, '/dev/null'],
      STEPS,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('█');
    expect(stdout).toContain(ESCAPE);
    expect(stdout).toContain('"state": "completed"');
  });

  test('ends with 1 where the job fails or is cancelled, and says why', async () => {
    const failing = await watch(await begun({ error: 'no luck' }), STEPS);
    expect(failing.code).toBe(1);
    expect(failing.stderr).toContain('The job is failed: no luck');
    expect(JSON.parse(failing.stdout)).toMatchObject({ state: 'failed', error: 'no luck' });
    const cancelled = await begun({});
    const jobs = whole.app.get(JobQueue, { strict: false });
    const [watched] = await Promise.all([watch(cancelled, STEPS), jobs.control(cancelled, 'cancel')]);
    expect(watched).toMatchObject({ code: 1, stderr: expect.stringContaining('The job is cancelled') });
    expect((await watch('no-such-job', [])).code).toBe(1);
  });

  test('goes on where the service does not answer for a while', async () => {
    const port = new URL(env['VITRINE_URL'] ?? '').port;
    let asked = 0;
    const proxy = createServer((incoming, response) => {
      asked += 1;
      if (asked === 2) return void incoming.socket.destroy();
      if (asked === 3) return void response.writeHead(503).end('{"message":"It begins"}');
      const { url: path, headers } = incoming;
      request({ host: '127.0.0.1', port, path, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 0, reply.headers);
        reply.pipe(response);
      }).end();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const through = { VITRINE_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    const { code, stdout } = await run(process.execPath, [cli, 'jobs', 'watch', await begun({})], STEPS, through);
    proxy.closeAllConnections();
    proxy.close();
    expect(asked).toBeGreaterThan(3);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'completed' });
  });
});
