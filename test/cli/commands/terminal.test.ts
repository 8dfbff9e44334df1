import { describe, expect, it } from 'vitest'
import { assertLog } from '../../../src/core/verify-log.ts'
import { gate } from '../../../src/testing/gate.ts'
import { callTools, hangAfter, holdAfter, say } from '../../../src/testing/scripted-answer.ts'
import { eventually } from '../../support/eventually.ts'
import { logOf, newPlace } from './support/place.ts'
import { scriptedModel } from './support/scripted-model.ts'
import { hasTerminals, KEY, plain, startInTerminal } from './support/terminal-command.ts'

describe.skipIf(!hasTerminals)('a chat in the terminal', () => {
  it('streams, shows tool calls, and steers with what is entered while a Turn runs', async () => {
    const rest = gate()
    const model = await scriptedModel(
      holdAfter(1, rest, callTools({ tool: 'calculator', arguments: { expression: '6*7' } })),
      say('It is 42, in brief.'),
    )
    const place = await newPlace('shared', model)
    const chat = startInTerminal(place, 'start', '--session', place.session)
    await chat.untilPrinted('stdout', '> ')
    chat.type(`What is 6*7?${KEY.enter}`)
    await chat.untilPrinted('stdout', '» ')
    await model.journal.waitFor((entry) => entry.chunksSent === 1)
    chat.type(`Be brief${KEY.enter}`)
    await eventually(async () => plain(chat.stdout).includes('» Be brief'))
    rest.open()
    await chat.untilPrinted('stdout', 'in brief.')
    await eventually(async () => (await logOf(place)).at(-1)?.type === 'turn/end')
    chat.type(KEY.ctrlD)
    expect((await chat.ended).code).toBe(0)
    expect(plain(chat.stdout)).toContain('→ calculator expression=6*7')
    const log = await logOf(place)
    assertLog(log, { settled: true })
    expect(
      log.flatMap((event) => (event.type === 'user/message' ? [[event.via, event.content]] : [])),
    ).toEqual([
      ['followup', 'What is 6*7?'],
      ['steer', 'Be brief'],
    ])
  })

  it('tells in its prompt what is at work, when nothing is to be seen for a while', async () => {
    const model = await scriptedModel(hangAfter(1, say(['Half', ' of it.'])))
    const place = await newPlace('shared', model)
    const chat = startInTerminal(place, 'chat', '--session', place.session)
    await chat.untilPrinted('stdout', '> ')
    chat.type(`Tell${KEY.enter}`)
    await eventually(async () => /\(step 1: the model, \d+ s\) » /.test(plain(chat.stdout)))
    chat.type('typed')
    await eventually(async () => /\(step 1: the model, \d+ s\) » typed/.test(plain(chat.stdout)))
    chat.type(`${KEY.ctrlC}`)
    await chat.untilPrinted('stdout', 'Stopped: The turn was stopped on request.')
    chat.type(KEY.ctrlC)
    await chat.ended
  })

  it('of `chat` stops the running Turn at Ctrl-C, and leaves at the next', async () => {
    const model = await scriptedModel(hangAfter(1, say(['Half', ' of it.'])))
    const place = await newPlace('shared', model)
    const chat = startInTerminal(place, 'chat', '--session', place.session)
    await chat.untilPrinted('stdout', '> ')
    chat.type(`Tell${KEY.enter}`)
    await chat.untilPrinted('stdout', 'Half')
    chat.type(KEY.ctrlC)
    await chat.untilPrinted('stdout', 'Stopped: The turn was stopped on request.')
    chat.type(KEY.ctrlC)
    expect((await chat.ended).code).toBe(0)
    expect((await logOf(place)).at(-1)).toMatchObject({ type: 'turn/end', reason: 'aborted' })
  })

  it('of `start` leaves at Ctrl-C with the Turn open, and shows it at the next start', async () => {
    const model = await scriptedModel(
      hangAfter(1, say(['Half', ' of it.'])),
      say('Half of it, and the rest.'),
    )
    const place = await newPlace('shared', model)
    const first = startInTerminal(place, 'start', '--session', place.session)
    await first.untilPrinted('stdout', '> ')
    first.type(`Tell${KEY.enter}`)
    await first.untilPrinted('stdout', 'Half')
    first.type(KEY.ctrlC)
    expect((await first.ended).code).toBe(130)
    expect(plain(first.stdout)).toContain('Leaving. The open turn goes on with the next start.')

    const next = startInTerminal(place, 'start', '--session', place.session)
    await next.untilPrinted('stdout', 'and the rest.')
    expect(plain(next.stdout)).toContain(`Turn 1 of session ${place.session} is still open. It goes on now:`)
    await eventually(async () => (await logOf(place)).at(-1)?.type === 'turn/end')
    next.type(`/quit${KEY.enter}`)
    expect((await next.ended).code).toBe(0)
  })
})
