import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A weak tag of a text: replies of the same content may differ in what names this one request. */
export function weakTag(text: string): string {
  return `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

/** Adds a name to the reply's `Vary`. */
export function addVary(reply: FastifyReply, name: string): void {
  const now = String(reply.getHeader('vary') ?? '');
  const names = now.split(',').map((one) => one.trim().toLowerCase());
  if (!names.includes(name)) void reply.header('vary', now === '' ? name : `${now}, ${name}`);
}

/** Tags a reply. True where the caller has the same already: then the status is 304, and the body is to be left out. */
export function isNotModified(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  void reply.header('etag', tag);
  addVary(reply, 'accept-encoding');
  const known = String(request.headers['if-none-match'] ?? '');
  if (known.trim() !== '*' && !tagsIn(known).includes(opaque(tag))) return false;
  void reply.status(304);
  return true;
}

/** Weakly compared: `W/` says nothing. */
const tagsIn = (list: string): string[] => list.match(/"[^"]*"/g) ?? [];
const opaque = (tag: string): string => tag.replace(/^W\//, '');
