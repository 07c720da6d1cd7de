import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AdminTokens } from './admin-tokens';
import { bearerToken } from './bearer';
import { sentSession } from './console/console-requests';
import { ConsoleSessions } from './console/console-sessions';

/** Whether somebody whom `AdminAccess` has let in may still have an answer that goes on: until they sign out, or their token ends. */
@Injectable()
export class StillAdmitted {
  constructor(
    private readonly tokens: AdminTokens,
    private readonly sessions: ConsoleSessions,
  ) {}

  async check({ headers }: Pick<FastifyRequest, 'headers'>): Promise<boolean> {
    const token = bearerToken(headers);
    if (token !== null) {
      await this.tokens.catchUp();
      return this.tokens.verify(token) !== null;
    }
    const session = sentSession({ headers });
    return session !== null && this.sessions.isOpen(session);
  }
}
