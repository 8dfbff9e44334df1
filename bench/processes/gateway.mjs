/**
 * The gateway as a process of its own, on the store that a worker in another process writes.
 */
import { connect, openSqliteStore } from 'turnstep'
import { authenticateLocally } from '../../dist/gateway/auth/local.js'
import { createGateway } from '../../dist/gateway/create-gateway.js'
import { serveGateway } from '../../dist/gateway/serve-gateway.js'
import { answerParent, settings } from './answer-parent.mjs'

/** @typedef {{ address: string, databasePath: string, taskQueue: string }} Settings */

const { address, databasePath, taskQueue } = /** @type {Settings} */ (settings())
const store = await openSqliteStore({ path: databasePath })
const turnstep = await connect({ address, store, taskQueue })
const gateway = createGateway({
  turnstep: (tenant) => turnstep.forTenant(tenant),
  authenticate: authenticateLocally({ token: 'benchmark', corsOrigins: [] }),
  version: '0',
  limits: { requestsPerMinute: 0 },
})
const served = await serveGateway(gateway, { host: '127.0.0.1', port: 0 })

answerParent({
  url: () => served.url,
  /** Resident memory now, in MB. */
  memory: () => process.memoryUsage().rss / 1024 / 1024,
})
