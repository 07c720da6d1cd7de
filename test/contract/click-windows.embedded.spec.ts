import { InProcessClickWindows } from '../../src/showcase/links/adapters/embedded/in-process-click-windows';
import { describeClickWindowsContract } from './click-windows.contract';

describeClickWindowsContract('embedded', async () => ({
  windows: new InProcessClickWindows(),
  close: async () => undefined,
}));
