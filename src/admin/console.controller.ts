import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Settings } from '../config/settings';
import { Answers, Refuses } from '../http/openapi/answers';
import { OpenRoute } from '../http/openapi/open-route';
import { ApiError } from '../shared/api-error';
import { AdminAccess, CurrentAdmin } from '../stores/access/admin-access';
import { type Admin, adminRoles, storeOf } from '../stores/access/admin-tokens';
import { CallLimits } from '../stores/access/call-limits';
import { ConsoleLinks } from '../stores/access/console/console-links';
import { assertOwnPage, sentSession, sessionCookie } from '../stores/access/console/console-requests';
import { type ConsoleSession, ConsoleSessions } from '../stores/access/console/console-sessions';
import { StoresService } from '../stores/stores.service';
import { StoreAdmin } from './store-admin.service';

const proof = z.string().min(1).max(4096);
const signInSchema = z
  .strictObject({ code: proof.optional(), token: proof.optional() })
  .refine(({ code, token }) => (code === undefined) !== (token === undefined), 'Either code or token is required');
const linkSchema = z.strictObject({ role: z.enum(adminRoles).default('ops'), store: z.string().optional() });

const sessionView = z.object({
  role: z.enum(adminRoles),
  /** The apiKey of the only store it is for. */
  store: z.string().nullable(),
  stores: z.array(z.object({ apiKey: z.string(), name: z.string() })),
  expiresAt: z.iso.datetime(),
});
const sessionAnswer = z.object({ session: sessionView.nullable() });
type SessionAnswer = z.output<typeof sessionAnswer>;

/** Signing in to the console. */
@ApiTags('admin: console')
@Controller()
export class ConsoleController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly links: ConsoleLinks,
    private readonly admin: StoreAdmin,
    private readonly stores: StoresService,
    private readonly limits: CallLimits,
    private readonly settings: Settings,
  ) {}

  @Post('console/session')
  @OpenRoute('a code or a token decides who it is')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Signs in to the console: a one-time code or an admin token becomes a cookie',
    description:
      'Only from a page of the same origin, with the header `x-vitrine-console: 1`. The cookie opens `/admin` as the token would',
  })
  @Answers(200, sessionAnswer)
  @Refuses('invalid_body', 'invalid_token', 'forbidden', 'too_many_requests')
  async signIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body({ schema: signInSchema }) { code, token = '' }: z.infer<typeof signInSchema>,
  ): Promise<SessionAnswer> {
    assertOwnPage(request, this.settings, { safe: false });
    const session = await (code === undefined ? this.sessions.byToken(token) : this.sessions.byCode(code));
    if (!session) {
      const error = new ApiError('invalid_token', 'The code was used or is too old, or the token is not valid');
      throw await this.limits.failed(request.ip, error);
    }
    const before = sentSession(request);
    if (before !== null) await this.sessions.end(before);
    this.setCookie(reply, session);
    return this.view(session);
  }

  @Get('console/session')
  @OpenRoute('it says who is asking, and null to anybody')
  @ApiOperation({ summary: 'Who is signed in to the console by the cookie of this request; null: nobody' })
  @Answers(200, sessionAnswer)
  @Refuses('forbidden')
  async show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<SessionAnswer> {
    assertOwnPage(request, this.settings, { safe: true });
    void reply.header('cache-control', 'no-store');
    const id = sentSession(request);
    const session = id === null ? null : await this.sessions.find(id);
    if (!session) return { session: null };
    if (session.renewed) this.setCookie(reply, session);
    return this.view(session);
  }

  @Delete('console/session')
  @OpenRoute('whoever has the cookie may give it up')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Signs out of the console',
    description: 'Only from a page of the same origin, with the header `x-vitrine-console: 1`',
  })
  @Answers(204, null)
  @Refuses('forbidden')
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    assertOwnPage(request, this.settings, { safe: false });
    const id = sentSession(request);
    if (id !== null) await this.sessions.end(id);
    void reply.header('set-cookie', sessionCookie('', 0, this.settings));
  }

  @Post('admin/console/links')
  @AdminAccess('ops')
  @ApiOperation({ summary: 'A link that signs in to the console once, within ten minutes' })
  @Answers(201, z.object({ url: z.string(), expiresAt: z.iso.datetime() }))
  @Refuses('invalid_body', 'not_found')
  link(
    @CurrentAdmin() admin: Admin,
    @Body({ schema: linkSchema }) { role, store: apiKey }: z.infer<typeof linkSchema>,
  ): Promise<{ url: string; expiresAt: string }> {
    if (apiKey === undefined) return this.links.create({ role }, admin.jti);
    const store = this.stores.byApiKey(apiKey);
    if (!store) throw new ApiError('not_found', `There is no store "${apiKey}"`);
    return this.links.create({ role, store: apiKey, storeId: store.id }, admin.jti);
  }

  private setCookie(reply: FastifyReply, session: ConsoleSession): void {
    void reply.header('set-cookie', sessionCookie(session.id, this.sessions.secondsLeft(session), this.settings));
  }

  private view({ admin, expiresAt }: ConsoleSession): SessionAnswer {
    const { role, store = null } = admin;
    const bound = store === null ? {} : { storeId: storeOf(admin, this.stores) ?? '' };
    const { stores } = this.admin.list({ ...admin, ...bound });
    return {
      session: {
        role,
        store,
        stores: stores.map(({ apiKey, name }) => ({ apiKey, name })),
        expiresAt: new Date(expiresAt).toISOString(),
      },
    };
  }
}
