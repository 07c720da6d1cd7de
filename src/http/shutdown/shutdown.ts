import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { ApiError } from '../../shared/api-error';
import { Settings } from '../../config/settings';
import { Readiness } from '../health/readiness';
import { Connections } from './connections';

/** What callers are told. */
export const STOPPING = 'This process is stopping; try again';
/** A request on an idle connection that was sent before its client can know has this long to arrive. Milliseconds. */
const IDLE_MS = 100;
/** Milliseconds in which requests under way are answered: longer than a shopper waits, short enough to end within 10 s. */
const ANSWERED_WITHIN_MS = 6000;

/**
 * How a process leaves. First it only says so, for as long as `DRAIN_SECONDS`: `/health/ready` is 503, so that a balancer sends no more, and
 * replies end their connections. Then it takes no more connections, refuses new requests and answers those under way.
 */
@Injectable()
export class Shutdown implements OnModuleDestroy {
  private readonly logger = new Logger('shutdown');
  private readonly refusing = new AbortController();
  private connections: Connections | null = null;
  private leaving = false;

  constructor(
    private readonly settings: Settings,
    private readonly readiness: Readiness,
  ) {}

  /** Aborted from when on new requests are refused: what has no end of its own ends then. */
  get signal(): AbortSignal {
    return this.refusing.signal;
  }

  /** Whether a request may be answered without the listeners of the server: replies end no connections, and this one has no other reply to come. */
  mayAnswerAtOnce(socket: Socket): boolean {
    return !this.leaving && !this.signal.aborted && this.connections?.isFree(socket) === true;
  }

  /** The server whose requests are answered before the end. */
  watch(server: Server): void {
    this.connections = new Connections(server);
  }

  /** Of a request that never came to the listeners of the server. */
  answeredAtOnce(socket: Socket): void {
    this.connections?.answeredAtOnce(socket);
  }

  /** Resolves when every request under way is answered, or was given up. */
  async leave(): Promise<void> {
    const { drainMs } = this.settings;
    this.readiness.add('process', () => Promise.reject(new ApiError('unavailable', STOPPING)));
    this.leaving = true;
    this.connections?.endAfterReplies();
    if (drainMs > 0) await sleep(drainMs);
    this.refusing.abort();
    const cutOff = await this.connections?.end({ idleMs: IDLE_MS, withinMs: ANSWERED_WITHIN_MS });
    if (cutOff)
      this.logger.warn(`${cutOff} requests were not answered within ${ANSWERED_WITHIN_MS} ms and are cut off`);
  }

  onModuleDestroy(): void {
    this.refusing.abort();
  }
}
