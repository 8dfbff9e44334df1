import { describe, expect, it } from 'vitest'
import { isRunning } from '../../../src/cli/process-info.ts'
import { assertLog } from '../../../src/core/verify-log.ts'
import { gate } from '../../../src/testing/gate.ts'
import { callTools, hangAfter, holdAfter, say } from '../../../src/testing/scripted-answer.ts'
import { eventually } from '../../support/eventually.ts'
import { logOf, newPlace, serverPid } from './support/place.ts'
import { scriptedModel } from './support/scripted-model.ts'
import { jsonLines, runCommand, startCommand } from './support/turnstep-command.ts'

describe('turnstep start without a terminal', () => {
  it('takes each line of standard input as a followup, in order', async () => {
    const model = await scriptedModel(say('One.'), say('Two.'), say('Three.'))
    const place = await newPlace('shared', model)
    const input = 'first\n\n  second\nthird'
    const { code, stdout, stderr } = await runCommand(place, ['start', '--session', place.session], { input })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'One.\nTwo.\nThree.\n' })
    expect(stderr).toMatch(/> first\n> second\n> third\n$/)
    const log = await logOf(place)
    assertLog(log, { settled: true })
    expect(log.flatMap((event) => (event.type === 'user/message' ? [event.content] : []))).toEqual([
      'first',
      '  second',
      'third',
    ])
  })

  it('ends with the code of the last end', async () => {
    const model = await scriptedModel(say('One.'), { kind: 'status', status: 401 })
    const place = await newPlace('shared', model)
    const input = 'first\nsecond\n'
    const { code, stdout } = await runCommand(place, ['start', '--session', place.session], { input })
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'One.\n' })
  })

  it('prints events with --json', async () => {
    const model = await scriptedModel(say('One.'))
    const place = await newPlace('shared', model)
    const args = ['start', '--json', '--session', place.session]
    const { stdout } = await runCommand(place, args, { input: 'first\n' })
    expect(jsonLines(stdout)).toEqual(await logOf(place))
  })

  it('ends at once when there is nothing to do, and leaves nothing running', async () => {
    const place = await newPlace('own')
    expect(await runCommand(place, ['start'])).toMatchObject({ code: 0, stdout: '' })
    expect(isRunning(await serverPid(place))).toBe(false)
  })

  it('leaves at Ctrl-C with nothing running and the Turn open, and goes on with it at the next start', async () => {
    const model = await scriptedModel(
      hangAfter(1, say(['Half of', ' it.'])),
      say('Half of it, and the rest.'),
    )
    const place = await newPlace('own', model)
    const first = startCommand(place, 'start')
    first.type('Tell\n')
    await first.untilPrinted('stdout', 'Half of')
    const pid = await serverPid(place)
    first.process.kill('SIGINT')
    const left = await first.ended
    expect({ code: left.code, stdout: left.stdout }).toEqual({ code: 130, stdout: 'Half of\n' })
    expect(left.stderr).toContain('Leaving. What is still open goes on with the next start.\n')
    expect(isRunning(pid)).toBe(false)

    const next = await runCommand(place, ['start'])
    expect(next.code).toBe(0)
    expect(next.stderr).toContain('Turn 1 of session main is still open. It goes on now:\n> Tell\n')
    expect(next.stdout).toMatch(/Half of it, and the rest\.\n$/)
    const log = await logOf(place, 'main')
    assertLog(log, { settled: true })
    expect(log.at(-1)).toMatchObject({ type: 'turn/end', reason: 'completed' })
  })

  it('recovers at the next start from a kill -9 in the middle of a model call', async () => {
    const model = await scriptedModel(
      callTools({ tool: 'calculator', arguments: { expression: '6*7' } }),
      hangAfter(1, say(['It is', ' 42.'])),
      say('It is 42.'),
    )
    const place = await newPlace('own', model)
    const first = startCommand(place, 'start')
    first.type('What is 6*7?\n')
    await first.untilPrinted('stdout', 'It is')
    const pid = await serverPid(place)
    first.process.kill('SIGKILL')
    await first.ended
    await eventually(() => Promise.resolve(!isRunning(pid)))

    const next = await runCommand(place, ['start'])
    expect(next).toMatchObject({ code: 0, stdout: 'It is 42.\n' })
    const log = await logOf(place, 'main')
    assertLog(log, { settled: true })
    expect(log.filter(({ type }) => type === 'turn/start')).toHaveLength(1)
    expect(log.filter(({ type }) => type === 'tool/call')).toHaveLength(1)
    expect(log.at(-1)).toMatchObject({ type: 'turn/end', reason: 'completed' })
  })
})

describe('two processes on one data folder', () => {
  it('share the worker of the first', async () => {
    const rest = gate()
    const model = await scriptedModel(holdAfter(1, rest, say(['The long', ' one.'])), say('The short one.'))
    const place = await newPlace('own', model)
    const first = startCommand(place, 'start')
    first.type('A long one\n')
    await first.untilPrinted('stdout', 'The long')
    const second = await runCommand(place, ['run', '--session', 'other', 'A short one'])
    expect(second).toMatchObject({ code: 0, stdout: 'The short one.\n' })
    expect(second.stderr).toContain(`(by process ${first.process.pid}, which runs the worker of `)
    expect(second.stderr).toMatch(/Temporal: 127\.0\.0\.1:\d+ \(runs for /)
    rest.open()
    first.process.stdin.end()
    expect(await first.ended).toMatchObject({ code: 0, stdout: 'The long one.\n' })
  })

  it('takes over when the one with the worker is killed', async () => {
    const model = await scriptedModel(
      say('Ready.'),
      hangAfter(1, say(['Half', ' of it.'])),
      say('Half of it.'),
    )
    const place = await newPlace('own', model)
    const first = startCommand(place, 'start')
    first.type('Are you there?\n')
    await first.untilPrinted('stdout', 'Ready.')
    const second = startCommand(place, 'run', '--session', 'other', 'Tell')
    await second.untilPrinted('stdout', 'Half')
    first.process.kill('SIGKILL')
    const { code, stdout, stderr } = await second.ended
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Half of it.\n' })
    expect(stderr).toContain('The process with the worker has ended. Its work goes on here.\n')
    assertLog(await logOf(place, 'other'), { settled: true })
  })

  it("does not cut the other's model call when its own Turn is over", async () => {
    const ofFirst = gate()
    const ofSecond = gate()
    const model = await scriptedModel(
      holdAfter(1, ofFirst, say(['First', ' is done.'])),
      holdAfter(1, ofSecond, say(['Second', ' is done.'])),
    )
    const place = await newPlace('own', model)
    const first = startCommand(place, 'run', 'Tell')
    await first.untilPrinted('stdout', 'First')
    const second = startCommand(place, 'run', '--session', 'other', 'Tell')
    await second.untilPrinted('stdout', 'Second')
    ofFirst.open()
    await second.untilPrinted('stderr', 'The process with the worker has ended. Its work goes on here.')
    ofSecond.open()
    expect(await second.ended).toMatchObject({ code: 0, stdout: 'Second is done.\n' })
    expect(await first.ended).toMatchObject({ code: 0, stdout: 'First is done.\n' })
    expect(model.journal.entries.map(({ abortedAt }) => abortedAt)).toEqual([undefined, undefined])
  })
})
