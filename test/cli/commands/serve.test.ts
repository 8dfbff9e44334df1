import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { say } from '../../../src/testing/scripted-answer.ts'
import { StreamReader } from '../../gateway/support/read-stream.ts'
import { newPlace, type Place } from './support/place.ts'
import { scriptedModel } from './support/scripted-model.ts'
import { jsonLines, runCommand, startCommand } from './support/turnstep-command.ts'

/** The place with a port that something else has. */
async function withTakenPort(place: Place): Promise<{ readonly place: Place; readonly port: number }> {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    other.close()
  })
  const { port } = other.address() as AddressInfo
  return { place: { ...place, env: { ...place.env, TURNSTEP_PORT: String(port) } }, port }
}

describe('turnstep serve', () => {
  it('answers for the worker of another process, and at SIGTERM lets streams go and leaves with 0', async () => {
    const place = await newPlace('shared', await scriptedModel(say('Hello.')))
    const worker = startCommand(place, 'worker', '--json')
    await worker.untilPrinted('stdout', '"ready":true')
    const serve = startCommand(place, 'serve', '--json')
    await serve.untilPrinted('stdout', '"ready":true')
    const { url } = jsonLines(serve.stdout)[0] as { url: string }
    const path = `${url}/v1/sessions/${place.session}`
    const sent = await fetch(`${path}/inputs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"id":"f1","content":"Hi"}',
    })
    expect([sent.status, await sent.json()]).toEqual([202, { inputId: 'f1' }])
    const reader = await StreamReader.open(`${path}/events?live=1`)
    await reader.until((one) => one.has('turn/end'), 40_000)
    expect(await (await fetch(`${url}/v1/agents`)).json()).toEqual({ agents: [{ name: 'default' }] })
    serve.process.kill('SIGTERM')
    await reader.until((one) => one.isOver)
    expect(reader.comments).toBeGreaterThan(0)
    expect(await serve.ended).toMatchObject({ code: 0, stderr: 'Stopping.\n' })
    worker.process.kill('SIGTERM')
    expect(await worker.ended).toMatchObject({ code: 0 })
  })

  it('says so when its port is taken, and ends with 2', async () => {
    const { place, port } = await withTakenPort(await newPlace('shared'))
    expect(await runCommand(place, ['serve'])).toMatchObject({
      code: 2,
      stderr: `turnstep: Port ${port} of 127.0.0.1 is taken. Set TURNSTEP_PORT to another one, or end what uses it.\n`,
    })
  })
})

describe('turnstep start', () => {
  it('serves at the next port when its own is taken, and prints the link', async () => {
    const { place, port } = await withTakenPort(await newPlace('shared', await scriptedModel(say('One.'))))
    const { code, stderr } = await runCommand(place, ['start', '--session', place.session], { input: 'Hi\n' })
    expect(code).toBe(0)
    const served = /HTTP and console: http:\/\/127\.0\.0\.1:(\d+)/.exec(stderr)?.[1]
    expect(Number(served)).toBeGreaterThan(port)
  })
})
