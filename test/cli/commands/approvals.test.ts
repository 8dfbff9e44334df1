import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assertLog } from '../../../src/core/verify-log.ts'
import { callTools, say } from '../../../src/testing/scripted-answer.ts'
import { eventually } from '../../support/eventually.ts'
import { logOf, newPlace, type Place } from './support/place.ts'
import { scriptedModel } from './support/scripted-model.ts'
import { hasTerminals, KEY, plain, startInTerminal } from './support/terminal-command.ts'
import { jsonLines, runCommand, startCommand } from './support/turnstep-command.ts'

const WRITE = callTools({ tool: 'write_file', arguments: { path: 'note.txt', content: 'hello' } })

describe('a call that needs approval', () => {
  it('is denied at once by `run` where nobody can be asked', async () => {
    const place = await newPlace('shared', await scriptedModel(WRITE, say('Not written.')))
    const { code, stdout, stderr } = await runCommand(place, ['run', '--session', place.session, 'Write'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Not written.\n' })
    expect(stderr).toContain('Denied: write_file needs approval, and there is no terminal to ask on.')
    await expect(readFile(join(place.folder, 'note.txt'))).rejects.toThrow('ENOENT')
    const log = await logOf(place)
    assertLog(log, { settled: true })
    expect(log.find(({ type }) => type === 'approval/decided')).toMatchObject({ decision: 'deny', by: 'cli' })
  })

  it('is listed, denied or approved with `decide` beside a running worker', async () => {
    const place = await newPlace('own', await scriptedModel(WRITE, WRITE, say('Written.')))
    const worker = startCommand(place, 'worker')
    await worker.untilPrinted('stderr', 'Ready, on task queue turnstep.')
    expect(await runCommand(place, ['decide'])).toMatchObject({
      code: 0,
      stdout: 'Nothing waits for a decision in session main.\n',
    })
    await runCommand(place, ['send', '--id', 'f1', 'Write'])
    const asked = async (count: number) =>
      (await logOf(place, 'main')).filter(({ type }) => type === 'approval/requested').length === count
    await eventually(() => asked(1))
    const listed = await runCommand(place, ['decide', '--json'])
    expect(jsonLines(listed.stdout)).toMatchObject([
      {
        callId: 'c1_1_0',
        tool: 'write_file',
        arguments: '{"content":"hello","path":"note.txt"}',
        risk: 'high',
      },
    ])
    expect((await runCommand(place, ['status', '--json'])).stdout).toContain('"waiting_human"')
    expect((await runCommand(place, ['decide', '--session', 'other'])).stdout).toBe(
      'Nothing waits for a decision in session other.\nSomething waits in session main: turnstep decide --session main\n',
    )
    expect(await runCommand(place, ['decide', 'c1_1_0', 'deny', '--note', 'Elsewhere.'])).toMatchObject({
      code: 0,
      stdout: 'c1_1_0: deny.\n',
    })
    expect(await runCommand(place, ['decide', 'c1_1_0', 'approve'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was decided before'),
    })
    await eventually(() => asked(2))
    const edited = JSON.stringify({ path: 'other.txt', content: 'hello' })
    expect(await runCommand(place, ['decide', 'c1_2_0', 'edit', '--arguments', edited])).toMatchObject({
      code: 0,
    })
    await eventually(async () => (await logOf(place, 'main')).at(-1)?.type === 'turn/end')
    expect(await readFile(join(place.folder, 'other.txt'), 'utf8')).toBe('hello')
    expect(await runCommand(place, ['decide', 'c1_2_0', 'sometimes'])).toMatchObject({ code: 2 })
    assertLog(await logOf(place, 'main'), { settled: true })
  })

  it.skipIf(!hasTerminals)('is shown in a chat, where no message approves it but /approve does', async () => {
    const place = await newPlace('shared', await scriptedModel(WRITE, say('Written.'), say('Yes.')))
    const chat = startInTerminal(place, 'chat', '--session', place.session)
    await chat.untilPrinted('stdout', '> ')
    chat.type(`Write${KEY.enter}`)
    await chat.untilPrinted('stdout', 'waits for approval')
    await chat.untilPrinted('stdout', 'content: "hello"')
    chat.type(`yes${KEY.enter}`)
    await eventually(async () => plain(chat.stdout).includes('» yes'))
    chat.type(`/approve${KEY.enter}`)
    await chat.untilPrinted('stdout', 'Written.')
    expect(await readFile(join(place.folder, 'note.txt'), 'utf8')).toBe('hello')
    await eventually(async () => (await logOf(place)).at(-1)?.type === 'turn/end')
    chat.type(KEY.ctrlD)
    await chat.ended
    assertLog(await logOf(place), { settled: true })
  })

  it.skipIf(!hasTerminals)('is asked for by `run` in a terminal', async () => {
    const place = await newPlace('shared', await scriptedModel(WRITE, say('Written.')))
    const command = startInTerminal(place, 'run', '--session', place.session, 'Write')
    await command.untilPrinted('stdout', 'yes or no')
    command.type(`perhaps${KEY.enter}`)
    await eventually(async () => plain(command.stdout).split('yes or no').length === 3)
    command.type(`yes${KEY.enter}`)
    await command.untilPrinted('stdout', 'Written.')
    expect((await command.ended).code).toBe(0)
    expect(await readFile(join(place.folder, 'note.txt'), 'utf8')).toBe('hello')
  })
})

describe('an answer that a guardrail holds', () => {
  const CONFIG = `
import { defineAgent, defineConfig, openaiChat } from 'turnstep'
const prices = {
  name: 'prices',
  judge: (text) =>
    text.includes('price') ? { verdict: 'hold', reason: 'It names a price.' } : { verdict: 'pass' },
}
export default defineConfig({
  agents: [
    defineAgent({
      name: 'seller',
      instructions: 'You sell.',
      model: openaiChat({ model: 'scripted-model' }),
      guardrails: { output: [prices] },
    }),
  ],
})
`
  async function sellingPlace(): Promise<Place> {
    const place = await newPlace('shared', await scriptedModel(say('The price is 4711.')))
    await writeFile(join(place.folder, 'turnstep.config.mjs'), CONFIG)
    return place
  }

  it('is not said by `run` where nobody can be asked', async () => {
    const place = await sellingPlace()
    const { code, stdout, stderr } = await runCommand(place, ['run', '--session', place.session, 'How much?'])
    expect(code).toBe(3)
    expect(stdout).toBe('')
    expect(stderr).toContain('? An answer waits for approval: m1_1, held by prices (It names a price.)')
    expect(stderr).toContain('Denied: the answer needs approval, and there is no terminal to ask on.')
    expect(stderr).not.toContain('4711')
  })

  it.skipIf(!hasTerminals)('is shown in a chat, and said after /approve', async () => {
    const place = await sellingPlace()
    const chat = startInTerminal(place, 'chat', '--session', place.session)
    await chat.untilPrinted('stdout', '> ')
    chat.type(`How much?${KEY.enter}`)
    await chat.untilPrinted('stdout', '    The price is 4711.')
    chat.type(`/approve${KEY.enter}`)
    await chat.untilPrinted('stdout', 'pass, by terminal')
    await eventually(async () => (await logOf(place)).at(-1)?.type === 'turn/end')
    chat.type(KEY.ctrlD)
    await chat.ended
    assertLog(await logOf(place), { settled: true })
  })

  it.skipIf(!hasTerminals)('is asked for by `run` in a terminal', async () => {
    const place = await sellingPlace()
    const command = startInTerminal(place, 'run', '--session', place.session, 'How much?')
    await command.untilPrinted('stdout', 'Say it (m1_1)? yes or no')
    command.type(`no${KEY.enter}`)
    expect((await command.ended).code).toBe(3)
    expect(plain(command.stdout)).toContain("A human does not allow the model's answer")
  })
})
