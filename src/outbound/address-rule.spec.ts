import { addressRule } from './address-rule';

describe('which addresses are asked', () => {
  test.each(['93.184.216.34', '8.8.8.8', '100.63.255.255', '100.128.0.1', '172.32.0.1', '2606:2800:220:1::1'])(
    '%s is on the internet',
    (address) => expect(addressRule(address)).toBeNull(),
  );

  test.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '127.8.9.10'],
    ['loopback', '::1'],
    ['private', '10.1.2.3'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['unspecified', '::'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['unique local', 'fd12:3456::1'],
    ['site local', 'fec0::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped and public', '::ffff:8.8.8.8'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['NAT64', '64:ff9b::8.8.8.8'],
    ['local NAT64', '64:ff9b:1::1'],
    ['6to4', '2002:7f00:1::1'],
    ['Teredo', '2001::1'],
    ['discard', '100::1'],
  ])('%s: %s is not', (_name, address) => expect(addressRule(address)).toBe('private'));

  test.each([
    '169.254.169.254',
    '169.254.170.2',
    'fe80::1',
    'fd00:ec2::254',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '::ffff:169.254.169.254',
    '::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'not an address',
  ])('%s never is, listed or not', (address) => expect(addressRule(address)).toBe('never'));
});
