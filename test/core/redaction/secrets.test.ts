import { describe, expect, it } from 'vitest'
import { kindsIn } from './plain-redactor.ts'

/** Joined from parts, so that nothing here looks like a leak to whoever scans this repository. */
const of = (...parts: readonly string[]): string => parts.join('')
const BODY = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5kL7nP9r'
const HEX = '3f9a1c07b2d84e65a1f09c3d7e6b5a48'

describe('tokens', () => {
  it.each([
    ['OpenAI', of('sk-', BODY)],
    ['OpenAI of a project', of('sk-proj-', BODY, '_', BODY)],
    ['Anthropic', of('sk-ant-api03-', BODY, '-', BODY)],
    ['AWS', of('AKIA', 'IOSFODNN7EXAMPLE')],
    ['GitHub', of('ghp_', BODY.slice(0, 36))],
    ['GitHub, fine-grained', of('github_pat_', BODY, '_', BODY)],
    ['GitLab', of('glpat-', BODY.slice(0, 20))],
    ['Slack', of('xoxb-', '123456789012-1234567890123-', BODY.slice(0, 24))],
    ['Google', of('AIza', BODY.slice(0, 35))],
    ['Stripe', of('sk_live_', BODY.slice(0, 24))],
    ['SendGrid', of('SG.', BODY.slice(0, 22), '.', BODY)],
    ['npm', of('npm_', BODY.slice(0, 36))],
    ['Hugging Face', of('hf_', BODY.slice(0, 34))],
    ['Vault', of('hvs.', BODY)],
    ['JWT', of('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxIn0.', BODY)],
    ['JWT that is cut off', of('eyJhbGciOiJIUzI1NiIsInR5', '')],
    ['Slack webhook', of('hooks.slack.com/services/', 'T00000000/B00000000/', BODY.slice(0, 24))],
  ])('are found: %s', (_, token) => {
    expect(kindsIn(token)).toBe('[api-key]')
    expect(kindsIn(`const k = "${token}";`)).toBe('const k = "[api-key]";')
    expect(kindsIn(`Authorization: Bearer ${token}\r\n`)).toBe('Authorization: Bearer [api-key]\r\n')
    expect(kindsIn(`see ${token}, then`)).toBe('see [api-key], then')
  })

  it('are found behind the scheme of a header', () => {
    expect(kindsIn(`authorization: bearer ${HEX}`)).toBe('authorization: bearer [api-key]')
    expect(kindsIn('-H "Authorization: Basic YWRhOmNvdW50ZXNzMTg1Mg=="')).toBe(
      '-H "Authorization: Basic [api-key]"',
    )
    expect(kindsIn(`Cookie: sid=${BODY}; theme=dark`)).toBe('Cookie: sid=[api-key]; theme=dark')
  })

  it('are found in addresses', () => {
    expect(kindsIn('postgres://app:hunter2@db:5432/x')).toBe('postgres://app:[api-key]@db:5432/x')
    expect(kindsIn('redis://:p%40ss@cache')).toBe('redis://:[api-key]@cache')
    expect(kindsIn(`https://x.example/?access_token=${HEX}&page=2`)).toBe(
      'https://x.example/?access_token=[api-key]&page=2',
    )
  })

  it('are found beside the id of their pair', () => {
    const id = of('AKIA', 'IOSFODNN7EXAMPLE')
    const secret = of('wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCYEXAMPLEKEY')
    expect(kindsIn(`${id}\n${secret}\n`)).toBe('[api-key]\n[api-key]\n')
    expect(kindsIn(`aws_secret_access_key = ${secret}`)).toBe('aws_secret_access_key = [api-key]')
    expect(kindsIn(`${secret}\n`)).toBe(`${secret}\n`)
  })
})

describe('what is assigned to a telling name', () => {
  it.each([
    [`api_key=${HEX}`, 'api_key=[api-key]'],
    [`"apiKey": "${HEX}"`, '"apiKey": "[api-key]"'],
    [`X-API-Key: ${HEX}`, 'X-API-Key: [api-key]'],
    [`export SERVICE_TOKEN='${BODY}'`, "export SERVICE_TOKEN='[api-key]'"],
    [`client_secret: ${BODY}`, 'client_secret: [api-key]'],
    [`key=${BODY}`, 'key=[api-key]'],
    ['password=hunter2', 'password=[api-key]'],
    ['"password": "letmein"', '"password": "[api-key]"'],
    ["PGPASSWORD='s3cr3t!'", "PGPASSWORD='[api-key]'"],
    ['{"db_password":"correct-horse"}', '{"db_password":"[api-key]"}'],
    ['{\\"password\\":\\"hunter2\\"}', '{\\"password\\":\\"[api-key]\\"}'],
    ['AccountKey=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4MTIz==;Endpoint', 'AccountKey=[api-key];Endpoint'],
  ])('is found: %s', (text, redacted) => {
    expect(kindsIn(text)).toBe(redacted)
  })

  it.each([
    'password: string',
    'const token = tokens.next()',
    'secret: options.secret',
    'readonly apiKey?: string',
    'apiKey: readKey(options)',
    'token = await fetchToken(url1)',
    'password: process.env.PASSWORD1',
    'password=$PASSWORD',
    'password: must be at least 8 characters',
    '"password": {',
    'prompt_tokens: 12345, total_tokens: 123456789',
    'key: turn:t1:step:1:message',
    `cache-key=${HEX}`,
    'key=550e8400-e29b-41d4-a716-446655440000',
    '"key": "input:followup-1234"',
    'secretary: Team Example 1852',
    'tokenizer=cl100k_base',
    'authors: [a1, b2]',
    'stickyQueueScheduleToStartTimeout: 1s',
    'sk-circle-fade-dot-animation-12',
    'the password is required',
  ])('is nothing: %s', (text) => {
    expect(kindsIn(text)).toBe(text)
  })
})

const LINES = `${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'}\n`.repeat(3)

describe('private keys', () => {
  it.each(['', 'RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED '])('are found whole: %sPRIVATE KEY', (type) => {
    const block = `-----BEGIN ${type}PRIVATE KEY-----\n${LINES}qA==\n-----END ${type}PRIVATE KEY-----`
    expect(kindsIn(`key:\n${block}\nend`)).toBe('key:\n[private-key]\nend')
    expect(kindsIn(JSON.stringify({ pem: `${block}\n`, n: 1 }))).toBe('{"pem":"[private-key]\\n","n":1}')
    expect(kindsIn(block.replaceAll('\n', '\r\n'))).toBe('[private-key]')
    expect(kindsIn(block.replaceAll('\n', ' '))).toBe('[private-key]')
    expect(kindsIn(block.replaceAll('\n', '\n    '))).toBe('[private-key]')
    expect(kindsIn(`> ${block.replaceAll('\n', '\n> ')}`)).toBe('> [private-key]')
  })

  it('are found when their end is missing', () => {
    expect(kindsIn(`-----BEGIN PRIVATE KEY-----\n${LINES}`)).toBe('[private-key]')
    expect(kindsIn(`-----BEGIN PRIVATE KEY-----\n${LINES}MIIEvQ`)).toBe('[private-key]')
    expect(kindsIn(`a\n-----BEGIN RSA PRIVATE KEY-----\n${LINES}… cut …`)).toBe('a\n[private-key]\n… cut …')
  })

  it('are found with headers, and with a passphrase', () => {
    const headers = 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,3F17F5316E2BAC89\n\n'
    expect(kindsIn(`-----BEGIN RSA PRIVATE KEY-----\n${headers}${LINES}-----END RSA PRIVATE KEY-----`)).toBe(
      '[private-key]',
    )
    expect(
      kindsIn(
        `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: x\n\n${LINES}=aB3d\n-----END PGP PRIVATE KEY BLOCK-----`,
      ),
    ).toBe('[private-key]')
  })

  it('are found in base64, and in other formats', () => {
    const encoded = Buffer.from(`-----BEGIN PRIVATE KEY-----\n${LINES}`).toString('base64')
    expect(kindsIn(`tls.key: ${encoded}`)).toBe('tls.key: [private-key]')
    expect(kindsIn(`PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 3\n${LINES}Private-MAC: 12`)).toBe(
      'PuTTY-User-Key-File-3: ssh-rsa\n[private-key]\nPrivate-MAC: 12',
    )
    expect(kindsIn(of('AGE-SECRET-KEY-1', 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(2).slice(0, 58)))).toBe(
      '[private-key]',
    )
  })

  it.each([
    'a file that begins with -----BEGIN PRIVATE KEY----- is a key',
    `-----BEGIN PUBLIC KEY-----\n${LINES}-----END PUBLIC KEY-----`,
    `-----BEGIN CERTIFICATE-----\n${LINES}-----END CERTIFICATE-----`,
    "const BEGINNING = '-----BEGIN RSA PRIVATE KEY-----'",
  ])('are not: %s', (text) => {
    expect(kindsIn(text)).toBe(text)
  })
})
