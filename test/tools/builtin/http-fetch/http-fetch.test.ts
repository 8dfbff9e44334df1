import { text } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type HttpFetchOptions, httpFetchTool } from '../../../../src/tools/builtin/http-fetch/http-fetch.ts'
import type { Resolve } from '../../../../src/tools/builtin/http-fetch/send-request.ts'
import { createToolHost, httpFetch } from '../../../../src/tools/index.ts'
import { eventually } from '../../../support/eventually.ts'
import { call } from '../temp-folder.ts'
import { serve, serveRaw } from './local-server.ts'

/** Fetches from a server of this machine, which is allowed on purpose. */
function fetchFrom(host: string, args: object = {}, options: HttpFetchOptions = {}, signal?: AbortSignal) {
  return call(httpFetch({ allowPrivate: [host], ...options }), { url: `http://${host}/`, ...args }, signal)
}

/** A name service that gives its answers in turn, and the last one ever after. */
function nameService(...answers: readonly (readonly string[])[]) {
  const asked: string[] = []
  const resolve: Resolve = async (hostname) => {
    asked.push(hostname)
    return answers[Math.min(asked.length, answers.length) - 1] ?? []
  }
  return { asked, resolve }
}

describe('http_fetch', () => {
  it('answers with status, final URL, content type and body', async () => {
    const { host, requests } = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json; charset=utf-8').end('{"a": "ü"}')
    })
    expect(await fetchFrom(host, { url: `http://${host}/x?y=1#z` })).toEqual({
      status: 200,
      url: `http://${host}/x?y=1`,
      contentType: 'application/json; charset=utf-8',
      body: '{"a": "ü"}',
    })
    expect(requests).toEqual(['GET 127.0.0.1 /x?y=1'])
  })

  it('answers with what a failing server says', async () => {
    const { host } = await serve((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Nothing here.')
    })
    expect(await fetchFrom(host)).toMatchObject({ status: 404, body: 'Nothing here.' })
  })

  it('asks for the head alone', async () => {
    const { host, requests } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end()
    })
    expect(await fetchFrom(host, { method: 'HEAD' })).toEqual({
      status: 200,
      url: `http://${host}/`,
      contentType: 'text/plain',
    })
    expect(requests).toEqual(['HEAD 127.0.0.1 /'])
  })

  it('refuses everything unless a host is allowed', async () => {
    const { host, requests } = await serve((_request, response) => response.end())
    await expect(call(httpFetch(), { url: `http://${host}/` })).rejects.toThrow(
      `${host} is not among the allowed hosts (no host is).`,
    )
    await expect(call(httpFetch({ allow: [host] }), { url: `http://${host}/` })).rejects.toThrow(
      `${host} is at an address that is not public`,
    )
    expect(requests).toEqual([])
  })

  it('sends nothing of its surroundings, and nothing that one answer gave to the next', async () => {
    const headers: unknown[] = []
    const { host } = await serve((request, response) => {
      headers.push(Object.keys(request.headers).sort())
      response.setHeader('set-cookie', 'session=1')
      if (request.url === '/') response.writeHead(302, { location: '/next' }).end()
      else response.end('done')
    })
    expect(await fetchFrom(host)).toMatchObject({ url: `http://${host}/next`, body: 'done' })
    const sent = ['accept', 'accept-encoding', 'connection', 'host', 'user-agent']
    expect(headers).toEqual([sent, sent])
  })

  it('only reads, at low risk, unless it is told to do more', () => {
    expect(createToolHost([httpFetch()]).describe()[0]).toMatchObject({ effect: 'read', risk: 'low' })
    const posting = createToolHost([httpFetch({ methods: ['GET', 'POST'] })])
    expect(posting.describe()[0]).toMatchObject({ effect: 'once', risk: 'by-arguments' })
  })

  it.each([
    ['GET', 'high', 'low'],
    ['POST', undefined, 'high'],
    ['POST', 'medium', 'medium'],
  ] as const)('rates %s with risk %s as %s', async (method, risk, level) => {
    const tool = httpFetch({ methods: ['GET', 'POST'], ...(risk === undefined ? {} : { risk }) })
    const validation = await createToolHost([tool]).validate('http_fetch', {
      url: 'https://a.example/',
      method,
    })
    expect(validation).toMatchObject({ kind: 'valid', risk: level })
  })

  it('refuses methods, bodies and headers that it was not told to send', async () => {
    const host = 'a.example'
    await expect(fetchFrom(`${host}:80`, { method: 'POST' })).rejects.toThrow('method: ')
    await expect(fetchFrom(`${host}:80`, { body: 'x' })).rejects.toThrow('unknown argument')
    await expect(fetchFrom(`${host}:80`, { headers: { cookie: 'x' } })).rejects.toThrow('unknown argument')
    await expect(fetchFrom(`${host}:80`, { body: 'x' }, { methods: ['GET', 'POST'] })).rejects.toThrow(
      'GET sends no body.',
    )
  })

  it('sends a body, and leaves redirects of it alone', async () => {
    const bodies: string[] = []
    const { host, requests } = await serve((request, response) => {
      void text(request).then((body) => {
        bodies.push(`${request.headers['content-type']} ${body}`)
        response.writeHead(307, { location: '/elsewhere' }).end()
      })
    })
    const answer = await fetchFrom(host, { method: 'POST', body: '{"ü":1}' }, { methods: ['POST'] })
    expect(answer).toEqual({ status: 307, url: `http://${host}/`, location: '/elsewhere' })
    expect(bodies).toEqual(['application/json {"ü":1}'])
    expect(requests).toEqual(['POST 127.0.0.1 /'])
  })

  it.each([
    [{ maxBytes: 0 }, 'httpFetch: maxBytes must be a whole number from 1 to 16777216.'],
    [{ timeoutMs: 1.5 }, 'httpFetch: timeoutMs must be a whole number from 1 to 600000.'],
    [{ methods: [] }, 'httpFetch: methods must be some of GET, HEAD, POST, PUT, PATCH, DELETE.'],
    [{ methods: ['TRACE'] }, 'httpFetch: methods must be some of GET, HEAD, POST, PUT, PATCH, DELETE.'],
    [{ allow: 'example.com' }, 'httpFetch: allow must be a list of hosts.'],
  ])('cannot be made with %j', (options, message) => {
    expect(() => httpFetch(options as HttpFetchOptions)).toThrow(
      expect.objectContaining({ code: 'invalid-config', message }),
    )
  })
})

describe('the connection of http_fetch', () => {
  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['169.254.169.254']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['fe80::1%lo']],
  ])('is not made to a name that leads to %j', async (addresses) => {
    const { port, sockets, requests } = await serve((_request, response) => response.end('secret'))
    const { asked, resolve } = nameService(addresses)
    const tool = httpFetchTool({ allow: [`rebind.example:${port}`] }, resolve)
    await expect(call(tool, { url: `http://rebind.example:${port}/` })).rejects.toThrow(
      `rebind.example:${port} is at an address that is not public, which may not be fetched from.`,
    )
    expect(asked).toEqual(['rebind.example'])
    expect([sockets.size, requests]).toEqual([0, []])
  })

  it('goes to the address that was judged, whatever the name leads to a moment later', async () => {
    const { port, requests } = await serve((_request, response) => response.end('fine'))
    const { asked, resolve } = nameService(['127.0.0.1'], ['169.254.169.254'])
    const tool = httpFetchTool({ allowPrivate: [`rebind.example:${port}`] }, resolve)
    expect(await call(tool, { url: `http://rebind.example:${port}/` })).toMatchObject({ body: 'fine' })
    expect(asked).toEqual(['rebind.example'])
    expect(requests).toEqual(['GET rebind.example /'])
  })

  it('is judged anew when a redirect leads to the same name', async () => {
    const { port, requests } = await serve((_request, response) => {
      response.writeHead(302, { location: '/again' }).end()
    })
    const { resolve } = nameService(['127.0.0.1'], ['169.254.169.254'])
    const tool = httpFetchTool({ allowPrivate: [`rebind.example:${port}`] }, resolve)
    await expect(call(tool, { url: `http://rebind.example:${port}/` })).rejects.toThrow('is not public')
    expect(requests).toEqual(['GET rebind.example /'])
  })

  it.each([
    ['http://169.254.169.254/latest/meta-data/', '169.254.169.254 is not among the allowed hosts'],
    ['http://169.254.169.254:8080/', '169.254.169.254:8080 is at an address that is not public'],
    ['http://0xa9fea9fe:8080/', '169.254.169.254:8080 is at an address that is not public'],
    ['http://[::ffff:a9fe:a9fe]/', '[::ffff:a9fe:a9fe] is not among the allowed hosts'],
    ['//localhost/', 'localhost is not among the allowed hosts'],
    ['file:///etc/passwd', 'only http and https'],
    ['http://', 'The URL is not one'],
  ])('is not redirected to %s', async (location, message) => {
    const { host } = await serve((_request, response) => response.writeHead(301, { location }).end())
    await expect(fetchFrom(host, {}, { allow: ['169.254.169.254:8080'] })).rejects.toThrow(message)
  })

  it('follows five redirects and no more', async () => {
    const { host, requests } = await serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('arrived')
      else response.writeHead(303, { location: `/${left - 1}` }).end('on')
    })
    expect(await fetchFrom(host, { url: `http://${host}/5` })).toMatchObject({
      url: `http://${host}/0`,
      body: 'arrived',
    })
    await expect(fetchFrom(host, { url: `http://${host}/6` })).rejects.toThrow(
      'The URL was redirected more than 5 times.',
    )
    expect(requests).toHaveLength(12)
  })

  it('is not changed by proxies in the environment', async () => {
    const proxy = await serve((_request, response) => response.end('proxied'))
    const { host } = await serve((_request, response) => response.end('direct'))
    for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY']) process.env[name] = `http://${proxy.host}`
    process.env['NODE_USE_ENV_PROXY'] = '1'
    try {
      expect(await fetchFrom(host)).toMatchObject({ body: 'direct' })
    } finally {
      for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'])
        delete process.env[name]
    }
    expect(proxy.requests).toEqual([])
  })

  it('says what went wrong with it, without what the URL holds', async () => {
    const closed = await serveRaw((socket) => socket.destroy())
    const garbage = await serveRaw((socket) => socket.end('SSH-2.0-server\r\n'))
    const unnamed = httpFetchTool({ allow: ['nowhere.example'] }, nameService([]).resolve)
    const failures = await Promise.allSettled([
      fetchFrom(closed, { url: `http://${closed}/?key=secret` }),
      fetchFrom(garbage, { url: `http://${garbage}/?key=secret` }),
      fetchFrom(closed, { url: `https://${closed}/?key=secret` }),
      fetchFrom('127.0.0.1:1', { url: 'http://127.0.0.1:1/?key=secret' }),
      call(unnamed, { url: 'https://nowhere.example/?key=secret' }),
    ])
    expect(failures.map((failure) => String((failure as PromiseRejectedResult).reason))).toEqual([
      `HttpFetchError: ${closed} closed the connection before its answer was whole.`,
      `HttpFetchError: ${garbage} answered with something that is not HTTP.`,
      `HttpFetchError: ${closed} closed the connection before its answer was whole.`,
      'HttpFetchError: 127.0.0.1:1 refused the connection.',
      'HttpFetchError: nowhere.example could not be found: its name has no address.',
    ])
  })
})

describe('the limits of http_fetch', () => {
  it.each([
    ['as it is', undefined, Buffer.alloc(3_000, 'x')],
    ['by gzip', 'gzip', gzipSync(Buffer.alloc(200_000_000, 'x'))],
    ['by Brotli', 'br', brotliCompressSync(Buffer.alloc(20_000_000, 'x'))],
  ])('cut a body that comes %s, by its unpacked size', async (_how, encoding, body) => {
    const { host, sockets } = await serve((_request, response) => {
      response.setHeader('content-type', 'text/plain')
      if (encoding !== undefined) response.setHeader('content-encoding', encoding)
      response.end(body)
    })
    const answer = await fetchFrom(host, {}, { maxBytes: 1_000 })
    expect(answer).toMatchObject({ status: 200, body: 'x'.repeat(1_000), cut: true })
    await eventually(async () => sockets.size === 0)
  })

  it('end an answer that never ends', async () => {
    const { host, sockets } = await serve((_request, response) => {
      const flood = () => {
        while (response.write('x'.repeat(60_000)));
      }
      response.on('drain', flood)
      flood()
    })
    expect(await fetchFrom(host, {}, { maxBytes: 100_000 })).toMatchObject({ cut: true })
    await eventually(async () => sockets.size === 0)
  })

  it('end a compressed answer that never ends and unpacks to nothing', async () => {
    const { host, sockets } = await serve((_request, response) => {
      response.setHeader('content-encoding', 'gzip')
      // A gzip header whose file name goes on and on.
      response.write(Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]))
      const flood = () => {
        while (response.write('x'.repeat(60_000)));
      }
      response.on('drain', flood)
      flood()
    })
    await expect(fetchFrom(host, {}, { maxBytes: 1_000 })).rejects.toThrow('too long')
    await eventually(async () => sockets.size === 0)
  })

  it.each([
    [
      'many headers',
      (socket: { write(text: string): void }) =>
        socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`),
    ],
    [
      'a long header',
      (socket: { write(text: string): void }) =>
        socket.write(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(30_000)}\r\n`),
    ],
  ])('refuse %s', async (_what, respond) => {
    const host = await serveRaw(respond)
    await expect(fetchFrom(host)).rejects.toThrow(`${host} sent more headers than are accepted.`)
  })

  it.each([
    ['nothing', () => undefined],
    [
      'a drop at a time',
      (socket: { write(text: string): void; once(event: 'close', then: () => void): void }) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 1000\r\n\r\n')
        const timer = setInterval(() => socket.write('.'), 20)
        socket.once('close', () => clearInterval(timer))
      },
    ],
    [
      'headers a drop at a time',
      (socket: { write(text: string): void; once(event: 'close', then: () => void): void }) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        const timer = setInterval(() => socket.write('a: b\r\n'), 20)
        socket.once('close', () => clearInterval(timer))
      },
    ],
  ])('end in time the wait for a server that sends %s', async (_what, respond) => {
    const host = await serveRaw(respond)
    await expect(fetchFrom(host, {}, { timeoutMs: 200 })).rejects.toThrow(
      `${host} did not answer in full within 200 ms.`,
    )
  })

  it('end in time the wait for a name service', async () => {
    const tool = httpFetchTool(
      { allow: ['slow.example'], timeoutMs: 100 },
      () => new Promise(() => undefined),
    )
    await expect(call(tool, { url: 'https://slow.example/' })).rejects.toThrow(
      'slow.example did not answer in full within 100 ms.',
    )
  })

  it('end with an abort, which closes the connection', async () => {
    const controller = new AbortController()
    const { host, sockets } = await serve((_request, response) => {
      response.write('begun')
      controller.abort(new Error('stopped'))
    })
    await expect(fetchFrom(host, {}, {}, controller.signal)).rejects.toThrow('stopped')
    await eventually(async () => sockets.size === 0)
  })

  it('send nothing when the abort came before', async () => {
    const { host, requests } = await serve((_request, response) => response.end())
    await expect(fetchFrom(host, {}, {}, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
    expect(requests).toEqual([])
  })
})

describe('the body of an answer', () => {
  async function bodyOf(bytes: string | Uint8Array, headers: Readonly<Record<string, string>>) {
    const { host } = await serve((_request, response) => response.writeHead(200, headers).end(bytes))
    const answer = (await fetchFrom(host)) as { body?: string }
    return answer.body
  }

  it.each([
    ['UTF-8', 'text/plain; charset=utf-8', Buffer.from('grüße')],
    ['UTF-8 without a charset', 'text/plain', Buffer.from('grüße')],
    ['Latin 1', 'text/plain; charset=ISO-8859-1', Buffer.from('grüße', 'latin1')],
    ['a quoted charset', 'text/plain;charset="iso-8859-1"', Buffer.from('grüße', 'latin1')],
    ['UTF-16', 'text/plain; charset=utf-16le', Buffer.from('grüße', 'utf16le')],
    ['a byte order mark', 'text/plain; charset=iso-8859-1', Buffer.from('\uFEFFgrüße')],
    ['a byte order mark of UTF-16', 'text/plain', Buffer.from('\uFEFFgrüße', 'utf16le')],
    ['an unknown charset', 'text/plain; charset=nonsense', Buffer.from('grüße')],
    ['no type', '', Buffer.from('grüße')],
  ])('is decoded from %s', async (_what, contentType, bytes) => {
    expect(await bodyOf(bytes, contentType === '' ? {} : { 'content-type': contentType })).toBe('grüße')
  })

  it('shows bytes that are wrong in the charset that was named, and goes on', async () => {
    const bytes = Buffer.from('grüße', 'latin1')
    expect(await bodyOf(bytes, { 'content-type': 'text/plain; charset=utf-8' })).toBe('gr\uFFFD\uFFFDe')
  })

  it('is decoded from Shift_JIS as a page declares it', async () => {
    const page = Buffer.concat([
      Buffer.from('<html><head><meta charset="shift_jis"></head><body>'),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
      Buffer.from('</body></html>'),
    ])
    expect(await bodyOf(page, { 'content-type': 'text/html' })).toBe('日本')
  })

  it.each([
    ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'binary, 4 bytes'],
    ['application/octet-stream', Buffer.from('text'), 'binary, 4 bytes'],
    ['text/plain', Buffer.from([0x61, 0, 0x62]), 'binary, 3 bytes'],
    ['', Buffer.from([0x61, 0, 0x62]), 'binary, 3 bytes'],
  ])('of type %j is named by its size when it is binary', async (contentType, bytes, text) => {
    expect(await bodyOf(bytes, contentType === '' ? {} : { 'content-type': contentType })).toBe(text)
  })

  it.each(['application/json', 'application/problem+json', 'image/svg+xml', 'application/x-ndjson'])(
    'of type %s is text as it is',
    async (contentType) => {
      expect(await bodyOf('{ "a":  1 }', { 'content-type': contentType })).toBe('{ "a":  1 }')
    },
  )

  it('is readable text where it was HTML', async () => {
    const page = '<!doctype html><title>Prices</title><p>Tea, see <a href="/list">the list</a>.'
    expect(await bodyOf(page, { 'content-type': 'text/html; charset=utf-8' })).toMatch(
      /^Prices\n\nTea, see the list \(http:\/\/127\.0\.0\.1:\d+\/list\)\.$/,
    )
  })

  it.each([
    ['gzip, gzip', gzipSync(gzipSync('x')), 'The answer is compressed in a way that cannot be read.'],
    ['zstd', Buffer.from('x'), 'The answer is compressed in a way that cannot be read.'],
    ['gzip', Buffer.from('no gzip'), 'sent an answer that is not compressed as it says.'],
    ['gzip', gzipSync('cut off').subarray(0, 15), 'sent a compressed answer that is cut off.'],
    ['br', Buffer.from([0xff, 0xff, 0xff]), 'sent an answer that is not compressed as it says.'],
  ])('compressed as %s that cannot be read is an error', async (encoding, bytes, message) => {
    await expect(
      bodyOf(bytes, { 'content-encoding': encoding, 'content-type': 'text/plain' }),
    ).rejects.toThrow(message)
  })
})
