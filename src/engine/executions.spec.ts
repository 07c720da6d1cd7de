import { Executions } from './executions';

describe('what searches were asked for', () => {
  it('is counted, whatever became of them', () => {
    const executions = new Executions();
    executions.begin();
    executions.begin();
    executions.note('kept');
    expect([executions.asked, executions.count('kept'), executions.count('all')]).toEqual([2, 1, 0]);
  });

  it('is not known where other processes answer them', () => {
    const executions = new Executions(true);
    executions.begin();
    expect(executions.asked).toBeNull();
  });
});
