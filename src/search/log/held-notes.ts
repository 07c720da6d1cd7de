import { ApiError } from '../../shared/api-error';
import { Coalesced } from '../../shared/async/coalesced';
import { Delayed } from '../../shared/async/delayed';

/** Milliseconds from a note to its write: with the write, and one that is under way, within the second that a killed process may lose. */
const FLUSH_MS = 250;
/** Notes of one write, where nothing else is said: what shoppers wait for is written in between. */
const BATCH = 200;

/** What became of notes. `dropped`: too many waited; `failed`: the storage would not take them. */
export const NOTE_FATES = ['written', 'dropped', 'failed'] as const;
export type NoteFate = (typeof NOTE_FATES)[number];

/** How much all that wait may be, together. */
export class NoteRoom {
  private taken = 0;

  constructor(private readonly most: number) {}

  get isFull(): boolean {
    return this.taken >= this.most;
  }

  take(size: number): void {
    this.taken += size;
  }

  give(size: number): void {
    this.taken -= size;
  }
}

interface HeldOptions<Note> {
  room: NoteRoom;
  /** Notes of one write, default 200. */
  batch?: number | undefined;
  /** Of a note, in the room. */
  sizeOf(note: Note): number;
  /** Durable when it resolves; the same again changes nothing. */
  write(notes: readonly Note[]): Promise<void>;
}

/**
 * Notes that nobody waits for: in memory at first, and written together a moment later, in their order. While the storage does not answer they
 * wait, as long as there is room.
 */
export class HeldNotes<Note> {
  private held: Note[] = [];
  private readonly fates: Record<NoteFate, number> = { written: 0, dropped: 0, failed: 0 };
  private readonly later = new Delayed(FLUSH_MS, () => this.flush());
  private readonly writing = new Coalesced(() => this.writeHeld());

  constructor(private readonly options: HeldOptions<Note>) {}

  get waiting(): number {
    return this.held.length;
  }

  counted(fate: NoteFate): number {
    return this.fates[fate];
  }

  /** Returns at once. */
  add(note: Note): void {
    const { room, sizeOf } = this.options;
    if (room.isFull) {
      this.fates.dropped += 1;
      return;
    }
    this.held.push(note);
    room.take(sizeOf(note));
    this.later.schedule();
  }

  /** Writes what was noted until now. Fails where the storage does not answer: it is tried again by itself. */
  flush(): Promise<void> {
    this.later.cancel();
    return this.writing.run();
  }

  /** Nothing is tried again by itself any more. */
  stop(): void {
    this.later.cancel();
  }

  private async writeHeld(): Promise<void> {
    const { batch = BATCH } = this.options;
    for (let left = this.held.length; left > 0;) {
      const notes = this.held.splice(0, Math.min(left, batch));
      left -= notes.length;
      await this.writeNotes(notes);
    }
  }

  private async writeNotes(notes: Note[]): Promise<void> {
    const { room, sizeOf, write } = this.options;
    const size = notes.reduce((sum, note) => sum + sizeOf(note), 0);
    room.give(size);
    try {
      await write(notes);
      this.fates.written += notes.length;
    } catch (error) {
      // What is refused for what is in it would be refused for ever.
      if (!(error instanceof ApiError && error.code === 'unavailable')) {
        this.fates.failed += notes.length;
        return;
      }
      this.held = [...notes, ...this.held];
      room.take(size);
      this.later.schedule();
      throw error;
    }
  }
}
