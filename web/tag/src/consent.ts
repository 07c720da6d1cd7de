import { forgetAll, memory } from './memory';

/** What waits for a yes is this much at most. */
const MOST_HELD = 50;

/**
 * Whether anything may be kept or sent. Where the store asks for consent, what happens before it waits in this page alone; a no forgets all
 * that was kept. Global Privacy Control is a no that the page cannot turn into a yes.
 */
export class Consent {
  private held: (() => void)[] = [];

  constructor(private readonly required: boolean) {
    // It may have been turned on since the last visit.
    if (this.refused) forgetAll();
  }

  private get refused(): boolean {
    return (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
  }

  get given(): boolean {
    if (this.refused) return false;
    const said = memory.get('consent');
    return said === null ? !this.required : said === '1';
  }

  /** Now, once there is consent, or never. */
  whenGiven(work: () => void): void {
    if (this.given) work();
    else if (!this.refused && memory.get('consent') === null && this.held.length < MOST_HELD) this.held.push(work);
  }

  tell(yes: boolean): void {
    if (this.refused) return;
    memory.set('consent', yes ? '1' : '0');
    const { held } = this;
    this.held = [];
    if (yes) for (const work of held) work();
    else forgetAll();
  }
}
