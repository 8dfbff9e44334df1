import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../src/cli/run-command.ts'
import { newRun, textOf } from '../world/plan.ts'
import type { OpenSubject } from './subject.ts'
import { timesOf } from './subject.ts'

/** An agent of @temporalio/openai-agents with the same tool as an activity. */
export const openOpenaiAgents: OpenSubject = async (stage) => ({
  name: 'openai-agents',
  process: await stage.startProcess('peers/openai-agents.mjs'),
  async converse(steps) {
    const run = newRun()
    const workflowId = `agent-${crypto.randomUUID()}`
    await stage.temporal.workflow.execute('agentWorkflow', {
      workflowId,
      taskQueue: stage.taskQueue,
      args: [textOf({ kind: 'steps', run, ...steps }), steps.steps],
    })
    const requests = await stage.model.requests(run)
    return { ...timesOf(requests), workflowId }
  },
})

const folder = fileURLToPath(new URL('../peers/', import.meta.url))
const stampPath = `${folder}node_modules/.turnstep-stamp`

/** Installs the peers' packages where they are not there yet; says whether they are there now. */
export async function installPeers(log: (line: string) => void): Promise<boolean> {
  const stamp = createHash('sha256')
    .update(readFileSync(`${folder}package-lock.json`))
    .digest('hex')
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) return true
  log('Installing what is compared with (npm ci in bench/peers, once) …')
  const { code, lastLine } = await runCommand('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'])
  if (code === 0) writeFileSync(stampPath, stamp)
  else log(`Without @temporalio/openai-agents, which cannot be installed: ${lastLine}`)
  return code === 0
}
