import { describe, expect, it } from 'vitest'
import { assertLog } from '../../../src/core/verify-log.ts'
import { gate } from '../../../src/testing/gate.ts'
import { callTools, hangAfter, holdAfter, say } from '../../../src/testing/scripted-answer.ts'
import type { ScriptedModelServer } from '../../../src/testing/scripted-model-server.ts'
import { eventually } from '../../support/eventually.ts'
import { logOf, newPlace, type Place } from './support/place.ts'
import { scriptedModel } from './support/scripted-model.ts'
import { jsonLines, runCommand, startCommand, type WatchedProcess } from './support/turnstep-command.ts'

/** A place in which a worker runs, with a Temporal server of its own. */
async function workingPlace(model: ScriptedModelServer): Promise<{ place: Place; worker: WatchedProcess }> {
  const place = await newPlace('own', model)
  const worker = startCommand(place, 'worker')
  await worker.untilPrinted('stderr', 'Ready, on task queue turnstep.')
  return { place, worker }
}

async function untilLogged(place: Place, type: string): Promise<void> {
  await eventually(async () => (await logOf(place, 'main')).some((event) => event.type === type))
}

describe('commands beside a running worker', () => {
  it('send, steer, status, events and abort', async () => {
    const rest = gate()
    const model = await scriptedModel(
      holdAfter(1, rest, callTools({ tool: 'calculator', arguments: { expression: '1+1' } })),
      hangAfter(1, say(['Two', ', say I.'])),
    )
    const { place, worker } = await workingPlace(model)

    const sent = await runCommand(place, ['send', '--id', 'first', 'What is 1+1?'])
    expect(sent).toEqual({ code: 0, stdout: 'first\n', stderr: '' })
    await untilLogged(place, 'step/start')
    expect(await runCommand(place, ['steer', '--id', 'second', 'Be brief'])).toMatchObject({
      code: 0,
      stdout: 'second\n',
    })
    expect((await runCommand(place, ['send', '--json', '--id', 'third', 'And 2+2?'])).stdout).toBe(
      '{"inputId":"third"}\n',
    )

    const status = await runCommand(place, ['status', '--json'])
    expect(jsonLines(status.stdout)).toMatchObject([
      {
        session: 'main',
        phase: 'running',
        turnId: 'first',
        step: 1,
        turnPhase: 'thinking',
        pending: [
          { id: 'second', lane: 'next-step', content: 'Be brief' },
          { id: 'third', lane: 'next-turn', content: 'And 2+2?' },
        ],
        openSessions: ['main'],
        worker: { pid: worker.process.pid, folder: place.folder },
      },
    ])

    const reader = startCommand(place, 'events', '--follow', '--live', '--json')
    rest.open()
    await reader.untilPrinted('stdout', '"text":"Two"')
    reader.process.kill('SIGINT')
    expect((await reader.ended).code).toBe(0)
    const seen = jsonLines(reader.stdout)
    expect(seen.filter(({ type }) => type !== 'delta')).toEqual(await logOf(place, 'main'))
    expect(seen.at(-1)).toMatchObject({ type: 'delta', turnId: 'first', step: 2, text: 'Two' })

    const aborted = await runCommand(place, ['abort', '--json'])
    expect(jsonLines(aborted.stdout)).toEqual([
      {
        turnId: 'first',
        reason: 'aborted',
        inputs: [
          { id: 'first', fate: 'claimed' },
          { id: 'second', fate: 'claimed' },
          { id: 'third', fate: 'withdrawn' },
        ],
      },
    ])
    assertLog(await logOf(place, 'main'), { settled: true })

    worker.process.kill('SIGTERM')
    expect((await worker.ended).code).toBe(0)
  })

  it('abort --queue run lets the next message run', async () => {
    const model = await scriptedModel(hangAfter(1, say(['One', '.'])), say('Two.'))
    const { place } = await workingPlace(model)
    await runCommand(place, ['send', '--id', 'first', 'Say one'])
    await untilLogged(place, 'step/start')
    await runCommand(place, ['send', '--id', 'second', 'Say two'])
    const { code, stdout } = await runCommand(place, ['abort', '--queue', 'run'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Turn first has ended: aborted.\n' })
    await eventually(
      async () => (await logOf(place, 'main')).filter(({ type }) => type === 'turn/end').length === 2,
    )
    const { stdout: log } = await runCommand(place, ['events', '--after', '2'])
    expect(log).toMatch(/ 1 +turn\/end +aborted$/m)
    expect(log).toMatch(/ 2\.1 +assistant\/message +Two\.$/m)
    expect(log).not.toContain('Say one')
  })

  it('run, stopped by Ctrl-C while its message waits behind another Turn, takes the message back', async () => {
    const model = await scriptedModel(hangAfter(1, say(['One', '.'])))
    const { place } = await workingPlace(model)
    await runCommand(place, ['send', '--id', 'first', 'Say one'])
    await untilLogged(place, 'step/start')
    const second = startCommand(place, 'run', 'Say two')
    await second.untilPrinted('stderr', 'A turn of session main is still open. It goes on first.')
    await eventually(async () => {
      const { stdout } = await runCommand(place, ['status'])
      return stdout.includes('Waiting (next-turn)')
    })
    second.process.kill('SIGINT')
    const { code, stdout, stderr } = await second.ended
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    expect(stderr).toContain('Withdrawn, not run: Say two\n')
    expect((await logOf(place, 'main')).at(-1)).toMatchObject({ type: 'input/withdrawn', content: 'Say two' })
    await runCommand(place, ['abort'])
    assertLog(await logOf(place, 'main'), { settled: true })
  })

  it('a second worker stands by, and goes on when the first one ends', async () => {
    const model = await scriptedModel(say('One.'))
    const { place, worker } = await workingPlace(model)
    const second = startCommand(place, 'worker')
    await second.untilPrinted('stderr', 'Standing by: another process runs the worker')
    worker.process.kill('SIGTERM')
    await second.untilPrinted('stderr', 'The process with the worker has ended. Its work goes on here.')
    await worker.ended
    await runCommand(place, ['send', 'Say one'])
    await untilLogged(place, 'turn/end')
    second.process.kill('SIGTERM')
    expect((await second.ended).code).toBe(0)
  })

  it('abort says so when nothing runs', async () => {
    const model = await scriptedModel()
    const { place } = await workingPlace(model)
    expect(await runCommand(place, ['abort'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'turnstep: No turn is running.\n',
    })
  })

  it('a resend under the same id changes nothing', async () => {
    const model = await scriptedModel(say('One.'))
    const { place } = await workingPlace(model)
    await runCommand(place, ['send', '--id', 'first', 'Say one'])
    await untilLogged(place, 'turn/end')
    const before = await logOf(place, 'main')
    await runCommand(place, ['send', '--id', 'first', 'Say one'])
    const status = await runCommand(place, ['status', '--json'])
    await eventually(
      async () => jsonLines((await runCommand(place, ['status', '--json'])).stdout)[0]?.['phase'] === 'idle',
    )
    expect(status.code).toBe(0)
    expect(await logOf(place, 'main')).toEqual(before)
  })
})
