import { describe, expect, it } from 'vitest'
import { safeAddress } from '../../../src/console/view/safe-address.ts'
import { temporalAddressOf } from '../../../src/console/view/temporal-address.ts'

describe('safeAddress', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['https://xn--e1awd7f.example/a b', 'https://xn--e1awd7f.example/a%20b'],
    ['https://еxample.com/', 'https://xn--xample-2of.com/'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
  ])('shows %s as it really is', (address, real) => {
    expect(safeAddress(address)).toBe(real)
  })

  it.each([
    'javascript:alert(1)',
    ' \tjava\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '//example.com',
    '/v1/sessions',
    'not an address',
  ])('does not follow %s', (address) => {
    expect(safeAddress(address)).toBeUndefined()
  })
})

describe('temporalAddressOf', () => {
  const config = { temporalUiUrl: 'http://localhost:8233/', namespace: 'my ns', tenant: 'default' }

  it('is where the run of a Turn is shown', () => {
    expect(temporalAddressOf(config, 'main', 'run-1')).toBe(
      'http://localhost:8233/namespaces/my%20ns/workflows/turnstep%3Adefault%3Amain/run-1/history',
    )
  })

  it('is nowhere without a UI', () => {
    expect(temporalAddressOf({ namespace: 'default', tenant: 'default' }, 'main', 'run-1')).toBeUndefined()
  })
})
