import { threadTime } from './thread-time';
import { GivenUp, goOnUntil, Turns } from './turns';

interface Message {
  name: string;
  /** Turns that it takes. */
  steps?: number;
  until: number | null;
}

describe('the turns of the search thread', () => {
  function subject(arrived: Message[] = []) {
    const done: string[] = [];
    const turns = new Turns<Message>({
      next: () => arrived.shift(),
      storeOf: ({ name }) => name.charAt(0),
      work: (message) => {
        done.push(message.name);
        message.steps = (message.steps ?? 1) - 1;
        return message.steps > 0;
      },
      idle: () => void done.push('idle'),
    });
    return { done, turns };
  }
  const message = (name: string, until: number | null = null): Message => ({ name, until });
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
  };

  it('go round the stores of all that has arrived', async () => {
    const { done, turns } = subject([message('a1'), message('a2'), message('a3'), message('b1')]);
    turns.go();
    expect(done).toEqual(['a1']);
    await settled();
    expect(done).toEqual(['a1', 'b1', 'a2', 'a3', 'idle']);
  });

  it('go on with long work between those of other stores, and behind what came meanwhile for its own', async () => {
    const { done, turns } = subject([{ ...message('a1'), steps: 3 }, message('b1'), message('b2'), message('a2')]);
    turns.go();
    await settled();
    expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'a1', 'a1', 'idle']);
  });

  it('are not for what nobody waits for any more', async () => {
    const over = threadTime() - 1;
    const { done, turns } = subject([
      message('a1', over),
      message('a2', over),
      message('b1', threadTime() + 60_000),
      message('a3', over),
    ]);
    turns.go();
    await settled();
    expect(done).toEqual(['b1', 'idle']);
  });

  it('end in the middle of work once its time is over', () => {
    expect(goOnUntil(null)).not.toThrow();
    expect(goOnUntil(threadTime() + 60_000)).not.toThrow();
    expect(goOnUntil(threadTime() - 1)).toThrow(GivenUp);
  });
});
