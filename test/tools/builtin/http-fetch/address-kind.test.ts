import { describe, expect, it } from 'vitest'
import { kindOfAddress } from '../../../../src/tools/builtin/http-fetch/address-kind.ts'
import { createHostRules } from '../../../../src/tools/builtin/http-fetch/host-rules.ts'

/** What becomes of a URL with this host when an operator has allowed that very host, but not its private addresses. */
function admit(host: string): string {
  const url = new URL(`http://${host}/`)
  return createHostRules([url.hostname], []).admit(url.href).href
}

describe('a host that is an address', () => {
  it.each([
    // loopback
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0x7F.0x0.0x0.0x1',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '0177.0.0.01',
    '00000177.0.0.1',
    '127.0x1',
    '%31%32%37.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '１２７.0.0.1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:FFFF:7F00:0001]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    // nobody, this network
    '0',
    '0.0.0.0',
    '0x0',
    '00.0',
    '0.1.2.3',
    '[::]',
    '[0::0]',
    '[::ffff:0:0]',
    // private
    '10.0.0.1',
    '10.1',
    '167772161',
    '012.0.0.1',
    '0xa000001',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.257',
    '3232235521',
    '[::ffff:10.0.0.1]',
    '[::10.0.0.1]',
    '[fc00::1]',
    '[fd12:3456:789a::1]',
    // carrier-grade NAT, and a metadata service in it
    '100.64.0.1',
    '100.127.255.255',
    '100.100.100.200',
    // link-local, metadata
    '169.254.169.254',
    '169.254.43518',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[::a9fe:a9fe]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '168.63.129.16',
    '192.0.0.192',
    // addresses within addresses
    '[64:ff9b::7f00:1]',
    '[64:ff9b::169.254.169.254]',
    '[64:ff9b::808:808]',
    '[64:ff9b:1::a00:1]',
    '[::ffff:0:7f00:1]',
    '[::ffff:8.8.8.8]',
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
    '[2001::1]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    // multicast, broadcast, reserved, benchmarks, documentation
    '224.0.0.1',
    '239.255.255.250',
    '[ff02::1]',
    '[ff0e::1]',
    '255.255.255.255',
    '4294967295',
    '240.0.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '[2001:db8::1]',
    '[3fff::1]',
    '[2001:2::1]',
    '[2001:20::1]',
    '[100::1]',
    '[5f00::1]',
    '[4000::1]',
    // names of this machine
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'ⓛocalhost',
  ])('is refused as %s', (host) => {
    expect(() => admit(host)).toThrow('is at an address that is not public, which may not be fetched from.')
  })

  it.each([
    ['8.8.8.8', 'http://8.8.8.8/'],
    ['134744072', 'http://8.8.8.8/'],
    ['[2606:4700:4700::1111]', 'http://[2606:4700:4700::1111]/'],
    ['11.0.0.1', 'http://11.0.0.1/'],
    ['172.32.0.1', 'http://172.32.0.1/'],
    ['100.128.0.1', 'http://100.128.0.1/'],
    ['169.253.0.1', 'http://169.253.0.1/'],
    ['198.20.0.1', 'http://198.20.0.1/'],
  ])('is admitted as %s when it is public', (host, href) => {
    expect(admit(host)).toBe(href)
  })

  it.each(['http://[fe80::1%25eth0]/', 'http://[fe80::1%eth0]/', 'http://1.2.3.4.5/', 'http://256.0.0.1/'])(
    'is no URL as %s',
    (url) => {
      expect(() => createHostRules(['example.com'], []).admit(url)).toThrow('The URL is not one')
    },
  )
})

describe('the address of a name', () => {
  it.each([
    ['93.184.215.14', 'public'],
    ['2a00:1450:4001:831::200e', 'public'],
    ['127.0.0.1', 'private'],
    ['10.0.0.1', 'private'],
    ['100.64.0.1', 'private'],
    ['172.20.1.1', 'private'],
    ['192.168.1.1', 'private'],
    ['::1', 'private'],
    ['fd12::1', 'private'],
    ['169.254.169.254', 'forbidden'],
    ['fd00:ec2::254', 'forbidden'],
    ['fe80::1', 'forbidden'],
    ['fe80::1%eth0', 'forbidden'],
    ['::1%lo', 'forbidden'],
    ['2606:4700::1%eth0', 'forbidden'],
    ['::ffff:10.0.0.1', 'forbidden'],
    ['0.0.0.0', 'forbidden'],
    ['::', 'forbidden'],
    ['2130706433', 'forbidden'],
    ['0x7f.1', 'forbidden'],
    ['example.com', 'forbidden'],
    ['', 'forbidden'],
  ])('%s is %s', (address, kind) => {
    expect(kindOfAddress(address)).toBe(kind)
  })
})
