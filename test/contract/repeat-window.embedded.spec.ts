import { InProcessRepeatWindow } from '../../src/behaviour/events/adapters/embedded/in-process-repeat-window';
import { describeRepeatWindowContract } from './repeat-window.contract';

describeRepeatWindowContract('embedded', async () => ({
  window: new InProcessRepeatWindow(),
  close: async () => undefined,
}));
