import { Connection } from '@temporalio/client'
import { describe, expect, it } from 'vitest'
import { temporalAddress } from '../support/temporal-address.ts'

describe('the shared Temporal server', () => {
  it('answers', async () => {
    const connection = await Connection.connect({ address: temporalAddress() })
    const { serverVersion } = await connection.workflowService.getSystemInfo({})
    await connection.close()
    expect(serverVersion).toMatch(/^\d+\.\d+\.\d+$/)
  })
})
