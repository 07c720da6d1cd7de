import type { ChildProcess } from 'node:child_process';

const LONGEST_START = 120_000;

/** What a server has printed once it printed this, on either output. Fails when it ends, or after two minutes; the cause is all it printed. */
export function untilPrinted(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((done, failed) => {
    let output = '';
    const fail = (what: string): void => {
      clearTimeout(timer);
      failed(new Error(`The server ${what}\n${output.slice(-4000)}`, { cause: output }));
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('did not start in time');
    }, LONGEST_START);
    const see = (text: Buffer): void => {
      output = (output + String(text)).slice(-100_000);
      if (!pattern.test(output)) return;
      clearTimeout(timer);
      child.stdout?.off('data', see).resume();
      child.stderr?.off('data', see).resume();
      done(output);
    };
    child.stdout?.on('data', see);
    child.stderr?.on('data', see);
    child.once('error', (error) => fail(`did not start: ${error.message}`));
    child.once('exit', (code, signal) => fail(`ended with ${code ?? signal}`));
  });
}
