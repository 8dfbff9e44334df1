import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ApiKeyRecord } from '../../src/core/access.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KEY: ApiKeyRecord = {
  id: 'k1',
  tenant: 'tenant-a',
  name: 'reviewer',
  scopes: ['read', 'approve'],
  secretDigest: 'd'.repeat(64),
  createdAt: '2030-01-01T00:00:00.000Z',
  expiresAt: '2031-01-01T00:00:00.000Z',
}

describe('API keys in a store', () => {
  const openPlace = async () => {
    const path = join(await temporaryFolder(), 'turnstep.db')
    const open = async () => {
      const store = await openSqliteStore({ path })
      onTestFinished(() => store.close())
      return store
    }
    return { one: await open(), other: await open() }
  }

  it('are there for every process, as they were added', async () => {
    const { one, other } = await openPlace()
    await one.addApiKey(KEY)
    expect(await other.apiKey('k1')).toEqual(KEY)
    expect(await other.apiKey('k2')).toBeUndefined()
  })

  it('are listed in order of creation', async () => {
    const { one } = await openPlace()
    const { expiresAt: _, ...older } = KEY
    await one.addApiKey(KEY)
    await one.addApiKey({ ...older, id: 'k0', createdAt: '2029-01-01T00:00:00.000Z' })
    expect((await one.apiKeys()).map(({ id }) => id)).toEqual(['k0', 'k1'])
  })

  it('are revoked once and for all processes', async () => {
    const { one, other } = await openPlace()
    await one.addApiKey(KEY)
    const revoked = await one.revokeApiKey('k1')
    expect(revoked?.revokedAt).toMatch(/^\d{4}-/)
    expect(await other.revokeApiKey('k1')).toEqual(revoked)
    expect(await other.apiKey('k1')).toEqual(revoked)
    expect(await one.revokeApiKey('k2')).toBeUndefined()
  })

  it('have ids that are taken once', async () => {
    const { one } = await openPlace()
    await one.addApiKey(KEY)
    await expect(one.addApiKey({ ...KEY, tenant: 'other' })).rejects.toThrow()
    expect(await one.apiKey('k1')).toEqual(KEY)
  })
})
