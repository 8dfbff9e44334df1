import { runConformanceTests } from '@durable-streams/server-conformance-tests'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { SeedingServer } from './seeding-server.ts'

const LONG_POLL_MS = 700

/** Groups of the suite that are about reading. */
const GROUPS: ReadonlySet<string> = new Set([
  'Read Operations',
  'Long-Poll Operations',
  'HEAD Metadata',
  'Offset Validation and Resumability',
  'Long-Poll Edge Cases',
  'Caching and ETag',
  'Read-Your-Writes Consistency',
  'SSE Mode',
  'Byte-Exactness Property',
  'Immutability Properties',
  'Offset Validation Properties',
  'State Hash Verification',
  'HEAD with Stream Closure',
  'Read Closed Streams (Catch-up)',
  'Long-poll with Stream Closure',
  'SSE with Stream Closure',
])

/** Tests about reading in groups that are about more. */
const TESTS: ReadonlySet<string> = new Set([
  'should return correct headers on GET',
  'should return empty body with up-to-date for empty stream',
  'should read from offset',
  'should include X-Content-Type-Options: nosniff on GET responses',
  'should include X-Content-Type-Options: nosniff on HEAD responses',
  'should include X-Content-Type-Options: nosniff on SSE responses',
  'should include X-Content-Type-Options: nosniff on long-poll responses',
  'should include Cross-Origin-Resource-Policy header on GET responses',
  'should include Cache-Control: no-store on HEAD responses',
  'should include security headers on error responses',
  'should return stream content-type on GET',
  'should preserve data immutability by position',
  'should reject empty offset parameter',
  'should reject multiple offset parameters',
  'should handle binary data with integrity',
  'should ignore unknown query parameters',
  'should handle chunk-size pagination correctly',
  'should concatenate multiple appends into single array',
  'should preserve JSON structure and nesting',
  'should work with client json() iterator',
  'offset-now-on-closed-stream: offset=now on closed stream returns Stream-Closed: true',
])

/** What is about reading and does not hold, with the reason. */
const NOT_OURS: ReadonlySet<string> = new Set([
  // Other origins are let in only where the gateway is configured for them, and not by a stream's reader.
  'should allow If-None-Match in CORS preflight responses',
])

describe('the public conformance suite, of what is about reading,', () => {
  const options = { baseUrl: '', longPollTimeoutMs: LONG_POLL_MS }
  let server: SeedingServer

  beforeAll(async () => {
    server = await SeedingServer.start(LONG_POLL_MS)
    options.baseUrl = server.url
  })

  afterAll(() => server.close())

  beforeEach(({ task, skip }) => {
    const isAboutReading = GROUPS.has(task.suite?.name ?? '') || TESTS.has(task.name)
    skip(!isAboutReading || NOT_OURS.has(task.name))
  })

  runConformanceTests(options)
})
