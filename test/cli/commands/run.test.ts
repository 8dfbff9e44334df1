import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Event } from '../../../src/core/event.ts'
import { assertLog } from '../../../src/core/verify-log.ts'
import { gate } from '../../../src/testing/gate.ts'
import { callTools, hangAfter, holdAfter, rateLimited, say } from '../../../src/testing/scripted-answer.ts'
import { logOf, newPlace } from './support/place.ts'
import { scriptedModel } from './support/scripted-model.ts'
import { jsonLines, runCommand, startCommand } from './support/turnstep-command.ts'

describe('turnstep run', () => {
  it('prints the answer on standard output, and everything else beside it', async () => {
    const model = await scriptedModel(
      callTools({ tool: 'calculator', arguments: { expression: '6*7' } }),
      say('It is 42.'),
    )
    const place = await newPlace('shared', model)
    const { code, stdout, stderr } = await runCommand(place, [
      'run',
      '--session',
      place.session,
      'What is 6*7?',
    ])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'It is 42.\n' })
    expect(stderr.split('\n')).toEqual([
      `Model: scripted-model at ${new URL(model.url).host}`,
      `Temporal: ${place.env['TEMPORAL_ADDRESS']} (TEMPORAL_ADDRESS)`,
      '→ calculator expression=6*7',
      '',
    ])
  })

  it('prints the events of the Turn with --json, and nothing else', async () => {
    const model = await scriptedModel(
      callTools({ tool: 'calculator', arguments: { expression: '6*7' } }),
      say('It is 42.'),
    )
    const place = await newPlace('shared', model)
    const { code, stdout } = await runCommand(place, [
      'run',
      '--json',
      '--session',
      place.session,
      'What is 6*7?',
    ])
    const events = jsonLines(stdout) as unknown as readonly Event[]
    expect(code).toBe(0)
    expect(events).toEqual(await logOf(place))
    assertLog(events, { settled: true })
  })

  it('prints the answer as it streams', async () => {
    const rest = gate()
    const model = await scriptedModel(holdAfter(1, rest, say(['The first half', ' and the second.'])))
    const place = await newPlace('shared', model)
    const command = startCommand(place, 'run', '--session', place.session, 'Tell')
    await command.untilPrinted('stdout', 'The first half')
    expect(command.stdout).toBe('The first half')
    rest.open()
    expect(await command.ended).toMatchObject({ code: 0, stdout: 'The first half and the second.\n' })
  })

  it('neutralises terminal sequences of model and tools', async () => {
    const model = await scriptedModel(
      callTools({ tool: 'read_file', arguments: { path: 'red\u001B[31m.txt' } }),
      say(['Hello \u001B', '[31mred\u0007 and \u001B]0;title\u0007', 'plain\r', '\n.']),
    )
    const place = await newPlace('shared', model)
    const { stdout, stderr } = await runCommand(place, ['run', '--session', place.session, 'Tell'])
    expect(stdout).toBe('Hello red\uFFFD and plain\r\n.\n')
    expect(stderr).not.toContain('\u001B')
  })

  it('is stopped by Ctrl-C: the request is cut, the log says aborted, what was said stays', async () => {
    const model = await scriptedModel(hangAfter(1, say(['I was about to', ' say more.'])))
    const place = await newPlace('shared', model)
    const command = startCommand(place, 'run', '--session', place.session, 'Tell')
    await command.untilPrinted('stdout', 'I was about to')
    command.process.kill('SIGINT')
    const { code, stdout, stderr } = await command.ended
    expect({ code, stdout }).toEqual({ code: 130, stdout: 'I was about to\n' })
    expect(stderr).toContain('Stopped: The turn was stopped on request.')
    const log = await logOf(place)
    assertLog(log, { settled: true })
    expect(log.at(-1)).toMatchObject({ type: 'turn/end', reason: 'aborted' })
    expect(log.find(({ type }) => type === 'assistant/message')).toMatchObject({
      text: 'I was about to',
      interrupted: true,
    })
    expect(model.journal.entries.map(({ abortedAt }) => typeof abortedAt)).toEqual(['number'])
  })

  it('ends with 1 when the Turn fails, and says why and what to do', async () => {
    const model = await scriptedModel({ kind: 'status', status: 401 })
    const place = await newPlace('shared', model)
    const { code, stdout, stderr } = await runCommand(place, ['run', '--session', place.session, 'Tell'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(
      'Failed (provider-auth): The model provider did not accept the API key or the account.\n' +
        '  Next: Correct the key or the account, then send a message to go on.\n',
    )
  })

  it('says so when the provider wants it to wait for long', async () => {
    const model = await scriptedModel(rateLimited(6), say('Here I am.'))
    const place = await newPlace('shared', model)
    const { code, stdout, stderr } = await runCommand(place, ['run', '--session', place.session, 'Tell'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Here I am.\n' })
    expect(stderr).toMatch(/^\(.* Asking again in 6 s\.\)$/m)
  })

  it('ends with 3 when the Turn is handed back by a refusal of the provider', async () => {
    const model = await scriptedModel(say('No.', { finish: 'content_filter' }))
    const place = await newPlace('shared', model)
    const { code, stderr } = await runCommand(place, ['run', '--session', place.session, 'Tell'])
    expect(code).toBe(3)
    expect(stderr).toContain('Handed back (provider-refused): The model provider refused to answer.')
  })

  it('ends with 3 when the Turn is handed back by a limit of an agent of turnstep.config.ts', async () => {
    const model = await scriptedModel({
      ...callTools({ tool: 'look' }),
      usage: { inputTokens: 1_000, outputTokens: 10 },
    })
    const place = await newPlace('shared', model)
    await writeFile(
      join(place.folder, 'turnstep.config.ts'),
      `import { defineAgent, defineConfig, defineTool, openaiChat } from 'turnstep'
       const look = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, effect: 'read', run: () => 'seen' })
       const agent = defineAgent({ name: 'hasty', instructions: 'Look.', model: openaiChat(), tools: [look], limits: { maxSteps: 1 }, price: { inputUsdPerMillion: 1, outputUsdPerMillion: 2 } })
       export default defineConfig({ agents: [agent] })`,
    )
    const { code, stderr } = await runCommand(place, ['run', '--session', place.session, 'Look'])
    expect(code).toBe(3)
    expect(stderr).toContain('Model: scripted-model, of agent hasty in turnstep.config\n')
    expect(stderr).toContain(
      'Handed back (max-steps): The step limit of this turn is used up.\n  Done: Ran look.\n  Next: ',
    )
    expect(stderr).toMatch(/^\(1,010 tokens, \$0\.00102\)$/m)
  })

  it('ends an agent of turnstep.config.ts whose provider fails for good as fast as the default one', async () => {
    const model = await scriptedModel({ kind: 'status', status: 401 })
    const place = await newPlace('shared', model)
    await writeFile(
      join(place.folder, 'turnstep.config.mjs'),
      `import { defineAgent, openaiChat } from 'turnstep'
       export default { agents: [defineAgent({ name: 'plain', instructions: '', model: openaiChat() })] }`,
    )
    const { code, stderr } = await runCommand(place, ['run', '--session', place.session, 'Tell'])
    expect(code).toBe(1)
    expect(stderr).toContain('Failed (provider-auth): ')
  })

  it('keeps the conversation of a Session from one call to the next', async () => {
    const model = await scriptedModel(say('Hello all.'), say('You are all.'))
    const place = await newPlace('shared', model)
    await runCommand(place, ['run', '--session', place.session, 'I am all.'])
    const { stdout } = await runCommand(place, ['run', '--session', place.session, 'Who am I?'])
    expect(stdout).toBe('You are all.\n')
    expect(model.journal.entries[1]?.body.messages.slice(1).map(({ content }) => content)).toEqual([
      'I am all.',
      'Hello all.',
      'Who am I?',
    ])
  })
})
