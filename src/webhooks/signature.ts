import { createHmac } from 'node:crypto';

export const SIGNATURE_HEADER = 'x-vitrine-signature';

/**
 * `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. The time is part of what is signed, so that what somebody recorded can't be sent again
 * later.
 */
export function signatureOf(body: string, secret: string, now: number): string {
  const t = Math.floor(now / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}
