/**
 * Whether an IP address is one of the public internet.
 */
import { BlockList, isIP } from 'node:net'

/**
 * `private` addresses may be allowed on purpose. `forbidden` ones never are: they belong to the link, the machine's
 * provider (metadata services), to several machines, to nobody, or hold another address inside.
 */
export type AddressKind = 'public' | 'private' | 'forbidden'

type Family = 'ipv4' | 'ipv6'

const PRIVATE_IPV4 = subnets('ipv4', [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
])

/** https://www.iana.org/assignments/iana-ipv4-special-registry, and one provider's metadata service. */
const FORBIDDEN_IPV4 = subnets('ipv4', [
  ['0.0.0.0', 8],
  ['168.63.129.16', 32], // metadata in a public range
  ['169.254.0.0', 16], // link-local, metadata
  ['192.0.0.0', 24],
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24], // 6to4 relays
  ['192.175.48.0', 24],
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
])

const PRIVATE_IPV6 = subnets('ipv6', [
  ['::1', 128],
  ['fc00::', 7],
])

/** All that is in use of the public internet so far; the rest is reserved, link-local, multicast or a translation. */
const GLOBAL_IPV6 = subnets('ipv6', [['2000::', 3]])

/** https://www.iana.org/assignments/iana-ipv6-special-registry, and metadata services within private ranges. */
const FORBIDDEN_IPV6 = subnets('ipv6', [
  ['2001::', 23], // Teredo and other protocols
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['2620:4f:8000::', 48],
  ['3fff::', 20], // documentation
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
])

/** Of an address in the notation that name services and `URL` give; anything else is `forbidden`. */
export function kindOfAddress(address: string): AddressKind {
  // A zone id says that the address is of a link; block lists do not understand it.
  if (address.includes('%')) return 'forbidden'
  switch (isIP(address)) {
    case 4:
      if (FORBIDDEN_IPV4.check(address, 'ipv4')) return 'forbidden'
      return PRIVATE_IPV4.check(address, 'ipv4') ? 'private' : 'public'
    case 6:
      if (FORBIDDEN_IPV6.check(address, 'ipv6')) return 'forbidden'
      if (PRIVATE_IPV6.check(address, 'ipv6')) return 'private'
      return GLOBAL_IPV6.check(address, 'ipv6') ? 'public' : 'forbidden'
    default:
      return 'forbidden'
  }
}

function subnets(family: Family, list: readonly (readonly [network: string, prefix: number])[]): BlockList {
  const block = new BlockList()
  for (const [network, prefix] of list) block.addSubnet(network, prefix, family)
  return block
}
