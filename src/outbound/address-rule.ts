import ipaddr from 'ipaddr.js';

/** Why nobody's server may be asked at an address. `never`: not even where the host is listed. */
export type AddressRefusal = 'private' | 'never' | null;

/** Judges an address a connection would be made to. */
export type AddressRule = (address: string) => AddressRefusal;

/**
 * Where clouds answer questions about the machine itself, outside link-local addresses: AWS over IPv6, Alibaba, Oracle, Azure. They hand
 * out credentials, and no feed is on them.
 */
const METADATA = new Set(['fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']);

/** IPv6 addresses that are routed over the internet: all others, mapped, translated and local ones, lead somewhere else. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public addresses alone may be asked; `never` are those of cloud metadata, and all link-local ones, where most of it is. */
export const addressRule: AddressRule = (address) => {
  if (!ipaddr.isValid(address)) return 'never';
  const plain = plainAddress(ipaddr.parse(address));
  if (METADATA.has(plain.toString()) || plain.range() === 'linkLocal') return 'never';
  const isMapped = plain.toString() !== ipaddr.parse(address).toString();
  const isGlobal = plain.kind() === 'ipv4' || (plain as ipaddr.IPv6).match(GLOBAL_IPV6);
  return !isMapped && isGlobal && plain.range() === 'unicast' ? null : 'private';
};

/** The IPv4 address inside one of the forms of IPv6 that only carry it, so that none of them is a way round a rule. */
function plainAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address.kind() === 'ipv4') return address;
  const sixth = address as ipaddr.IPv6;
  if (sixth.isIPv4MappedAddress()) return sixth.toIPv4Address();
  const bytes = sixth.toByteArray();
  // NAT64 (RFC 6052) and the deprecated IPv4-compatible form end in the IPv4 address.
  const carries = sixth.range() === 'rfc6052' || (bytes.slice(0, 12).every((byte) => byte === 0) && bytes[12] !== 0);
  return carries ? new ipaddr.IPv4(bytes.slice(12)) : sixth;
}
