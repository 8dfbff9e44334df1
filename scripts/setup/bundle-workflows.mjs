/**
 * Bundles the emitted workflows for Temporal: `node bundle-workflows.mjs DIST TARGET`.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleWorkflowCode } from '@temporalio/worker'

const [dist = '', target = ''] = process.argv.slice(2)
const payloadConverterPath = join(dist, 'workflows', 'payload-converter.js')

const { code } = await bundleWorkflowCode({
  workflowsPath: join(dist, 'workflows', 'index.js'),
  ...(existsSync(payloadConverterPath) ? { payloadConverterPath } : {}),
})
writeFileSync(target, code)
