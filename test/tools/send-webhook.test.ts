import { describe, expect, it } from 'vitest'
import { sendWebhook } from '../../src/tools/send-webhook.ts'

describe('sendWebhook', () => {
  it('says to whoever runs the worker how a receiver at a private address is named', async () => {
    await expect(sendWebhook('http://127.0.0.1:9/hook', { id: 'w1', body: '{}' }, {})).rejects.toThrow(
      'A webhook was not sent. 127.0.0.1:9 is at an address that is not public, which may not be fetched from. A receiver at a private address has to be named in TURNSTEP_WEBHOOK_ALLOW_PRIVATE, as host:port.',
    )
  })
})
