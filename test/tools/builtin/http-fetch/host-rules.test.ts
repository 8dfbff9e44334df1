import { describe, expect, it } from 'vitest'
import { redirected } from '../../../../src/tools/builtin/http-fetch/follow-redirects.ts'
import { createHostRules } from '../../../../src/tools/builtin/http-fetch/host-rules.ts'

const rules = createHostRules(
  ['api.example.com', '*.example.org', 'example.net:8443', 'bücher.example'],
  ['127.0.0.1:8080', 'wiki.internal:80', '[::1]:9000'],
)

describe('the hosts that are allowed', () => {
  it.each([
    ['https://api.example.com/a?b=c#d', 'https://api.example.com/a?b=c'],
    ['http://api.example.com', 'http://api.example.com/'],
    ['https://API.Example.COM/', 'https://api.example.com/'],
    ['https://api.example.com./', 'https://api.example.com/'],
    ['https://api.example.com:443/', 'https://api.example.com/'],
    ['https://a.example.org/', 'https://a.example.org/'],
    ['https://a.b.example.org/', 'https://a.b.example.org/'],
    ['https://example.net:8443/', 'https://example.net:8443/'],
    ['http://example.net:8443/', 'http://example.net:8443/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
    ['https:\\\\api.example.com\\a', 'https://api.example.com/a'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
    ['http://2130706433:8080/', 'http://127.0.0.1:8080/'],
    ['http://wiki.internal/', 'http://wiki.internal/'],
    ['http://[::1]:9000/', 'http://[::1]:9000/'],
  ])('include that of %s', (url, admitted) => {
    expect(rules.admit(url).href).toBe(admitted)
  })

  it.each([
    'https://example.com/',
    'https://evilapi.example.com/',
    'https://api.example.com.evil.com/',
    'https://api.example.com:8443/',
    'https://api.example.com:80/',
    'http://api.example.com:443/',
    'https://api.example.com../',
    'https://example.org/',
    'https://evilexample.org/',
    'https://example.net/',
    'https://example.net:443/',
    'https://bucher.example/',
    'https://evil.com/https://api.example.com/',
    'https://evil.com/?@api.example.com',
    'https://evil.com#@api.example.com',
    'https://evil.com\\@api.example.com/',
    'http://127.0.0.1/',
    'http://127.0.0.1:8081/',
    'http://127.0.0.2:8080/',
    'https://wiki.internal/',
  ])('do not include that of %s', (url) => {
    expect(() => rules.admit(url)).toThrow(/ is not among the allowed hosts \(allowed: api\.example\.com, /)
  })

  it.each([
    ['file:///etc/passwd', 'URLs of the scheme file: cannot be fetched, only http and https.'],
    ['ftp://api.example.com/', 'URLs of the scheme ftp: cannot be fetched, only http and https.'],
    ['data:text/plain,hi', 'URLs of the scheme data: cannot be fetched, only http and https.'],
    ['javascript:alert(1)', 'URLs of the scheme javascript: cannot be fetched, only http and https.'],
    ['https://user:secret@api.example.com/', 'A URL with a user name or password in it may not be fetched.'],
    ['https://user@api.example.com/', 'A URL with a user name or password in it may not be fetched.'],
    ['/relative', 'The URL is not one: it must be absolute, such as https://host/path.'],
    ['', 'The URL is not one: it must be absolute, such as https://host/path.'],
    [
      `https://api.example.com/${'a'.repeat(9_000)}`,
      'The URL is not one: it must be absolute, such as https://host/path.',
    ],
  ])('are of no use for %.60s', (url, message) => {
    expect(() => rules.admit(url)).toThrow(message)
  })

  it('are none by default', () => {
    expect(() => createHostRules([], []).admit('https://example.com/')).toThrow(
      'example.com is not among the allowed hosts (no host is).',
    )
  })

  it('may be at a private address only where that was allowed, and never at one of the link', () => {
    const wiki = new URL('http://wiki.internal/')
    const api = new URL('https://api.example.com/')
    expect(rules.allowsAddress(wiki, '10.0.0.1')).toBe(true)
    expect(rules.allowsAddress(wiki, '169.254.169.254')).toBe(false)
    expect(rules.allowsAddress(api, '10.0.0.1')).toBe(false)
    expect(rules.allowsAddress(api, '8.8.8.8')).toBe(true)
  })

  it.each([
    '*',
    '*.com',
    '*.127.0.0.1',
    'https://example.com',
    'a/b',
    'a b',
    'u@h',
    '',
    'h:0',
    'h:70000',
    'a.*.com',
    '%61.com',
  ])('are not written as %j', (entry) => {
    expect(() => createHostRules(['ok.example', entry], [])).toThrow(
      expect.objectContaining({
        code: 'invalid-config',
        message: expect.stringContaining('allow[1] must be'),
      }),
    )
  })

  it.each(['127.0.0.1', '*.internal.example:80'])(
    'are not written as %j where they may be private',
    (entry) => {
      expect(() => createHostRules([], [entry])).toThrow('allowPrivate[0] must be one host with its port')
    },
  )
})

describe('a redirect', () => {
  const from = new URL('https://api.example.com/a/b')

  it.each([
    ['c', 'https://api.example.com/a/c'],
    ['/c', 'https://api.example.com/c'],
    ['//x.example.org/', 'https://x.example.org/'],
    ['https://x.example.org/#top', 'https://x.example.org/'],
  ])('to %s is followed', (location, href) => {
    expect(redirected(from, location, rules).href).toBe(href)
  })

  it.each([
    ['http://api.example.com/', 'redirects from https to http, which is not followed'],
    ['http://169.254.169.254/latest/meta-data/', 'is not among the allowed hosts'],
    ['//evil.com/', 'is not among the allowed hosts'],
    ['https://user:secret@api.example.com/', 'A URL with a user name or password'],
    ['file:///etc/passwd', 'only http and https'],
    ['https://[', 'The URL is not one'],
  ])('to %s is not', (location, message) => {
    expect(() => redirected(from, location, rules)).toThrow(message)
  })
})
