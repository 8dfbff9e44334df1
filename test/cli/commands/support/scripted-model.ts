import { onTestFinished } from 'vitest'
import type { ScriptedAnswer } from '../../../../src/testing/scripted-answer.ts'
import { ScriptedModelServer } from '../../../../src/testing/scripted-model-server.ts'

/** A strict model server that answers so, in this order, until the test has finished. */
export async function scriptedModel(...script: readonly ScriptedAnswer[]): Promise<ScriptedModelServer> {
  const server = await ScriptedModelServer.start({ script })
  onTestFinished(() => server.close())
  return server
}
