import { isIP } from 'node:net';
import { within } from '../shared/async/within';
import type { HostResolver } from './host-resolver';
import { addressRule, type AddressRule } from './address-rule';
import { hostOf, isListed } from './hosts';
import { OutboundError, shownUrl } from './outbound-error';

const LIST_IT = 'list the host in the setting feedHosts of the store if it shall be asked';

/** Refuses by the URL alone: scheme, and a host that is an address. What a name stands for is known when it is asked. */
export function checkUrl(url: URL, allowedHosts: readonly string[], rule: AddressRule): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('refused', `${url.protocol} is not asked: an address begins with http:// or https://`);
  }
  if (isIP(hostOf(url)) !== 0) checkAddress(url, hostOf(url), { allowedHosts, rule });
}

/** Why an address is refused by the URL alone, for whoever sets it; null: it may be asked, as far as that tells. */
export function refusalOf(url: string, allowedHosts: readonly string[]): string | null {
  try {
    checkUrl(new URL(url), allowedHosts, addressRule);
    return null;
  } catch (error) {
    if (error instanceof OutboundError) return error.message;
    throw error;
  }
}

/** The addresses behind the URL's host, each of which may be asked. They are what the connection is made to: nobody resolves again. */
export async function checkedAddresses(
  url: URL,
  resolver: HostResolver,
  rules: { allowedHosts: readonly string[]; rule: AddressRule; timeoutMs: number },
): Promise<string[]> {
  checkUrl(url, rules.allowedHosts, rules.rule);
  const host = hostOf(url);
  if (isIP(host) !== 0) return [host];
  const addresses = await resolved(host, resolver, rules.timeoutMs);
  for (const address of addresses) checkAddress(url, address, rules);
  return addresses;
}

async function resolved(host: string, resolver: HostResolver, timeoutMs: number): Promise<string[]> {
  const late = (): Error => new OutboundError('timeout', `The name ${host} was not resolved within ${timeoutMs} ms`);
  const addresses = await within(timeoutMs, resolver.resolve(host), late).catch((cause: unknown) => {
    if (cause instanceof OutboundError) throw cause;
    throw new OutboundError('unreachable', `The name ${host} is not known`, { cause });
  });
  if (addresses.length === 0) throw new OutboundError('unreachable', `The name ${host} has no address`);
  return addresses;
}

/** Says nothing of the address: what a name means inside a network is not for whoever may only name it. */
function checkAddress(
  url: URL,
  address: string,
  { allowedHosts, rule }: { allowedHosts: readonly string[]; rule: AddressRule },
): void {
  const refusal = rule(address);
  if (refusal === 'never') {
    throw new OutboundError(
      'refused',
      `${shownUrl(url)} is not asked: its host is link-local or answers cloud metadata, and no setting changes that`,
    );
  }
  if (refusal !== null && !isListed(hostOf(url), allowedHosts)) {
    throw new OutboundError('refused', `${shownUrl(url)} is not asked: its host is not on the internet; ${LIST_IT}`);
  }
}
