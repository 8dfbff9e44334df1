import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assertLog } from '../../../src/core/verify-log.ts'
import { hangAfter, say } from '../../../src/testing/scripted-answer.ts'
import { ScriptedModelServer } from '../../../src/testing/scripted-model-server.ts'
import { logOf, newPlace, type Place, serverPid } from './support/place.ts'
import { scriptedModel } from './support/scripted-model.ts'
import { jsonLines, runCommand, startCommand } from './support/turnstep-command.ts'

function withEnv(place: Place, env: Readonly<Record<string, string>>): Place {
  return { ...place, env: { ...place.env, ...env } }
}

describe('turnstep, used wrongly', () => {
  it.each([
    { args: ['run'], said: "error: missing required argument 'text'\n" },
    { args: ['run', ' '], said: 'turnstep: The message is empty.\n' },
    { args: ['run', '-'], said: 'turnstep: The message is empty.\n' },
    { args: ['bogus'], said: "error: unknown command 'bogus'\n" },
    { args: ['run', '--bogus', 'x'], said: "error: unknown option '--bogus'\n" },
    {
      args: ['events', '--after', 'x'],
      said: "error: option '--after <seq>' argument 'x' is invalid. It must be a whole number.\n",
    },
    {
      args: ['abort', '--queue', 'x'],
      said: "error: option '--queue <fate>' argument 'x' is invalid. Allowed choices are withdraw, run.\n",
    },
    {
      args: ['run', '--session', 'a b', 'x'],
      said: 'turnstep: --session "a b" is no session id: use 1 to 128 characters out of A-Z a-z 0-9 _ . -\n',
    },
  ])('ends with 2 and one sentence: $args', async ({ args, said }) => {
    const { code, stdout, stderr } = await runCommand(await newPlace('own'), args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.startsWith(said)).toBe(true)
  })
})

describe('turnstep, configured wrongly', () => {
  it.each([
    {
      env: { OPENAI_BASE_URL: 'nowhere' },
      said: 'turnstep: OPENAI_BASE_URL must be an http or https address.\n',
    },
    {
      env: { DATABASE_URL: 'mysql://x' },
      said: 'turnstep: DATABASE_URL must be sqlite:PATH or postgres://….\n',
    },
    {
      env: { DATABASE_URL: 'postgres://x/y' },
      said: 'turnstep: DATABASE_URL names PostgreSQL, which this version does not support. Use sqlite:PATH.\n',
    },
  ])('ends with 2 and names the variable: $env', async ({ env, said }) => {
    const place = withEnv(await newPlace('own'), env)
    expect(await runCommand(place, ['run', 'Tell'])).toEqual({ code: 2, stdout: '', stderr: said })
  })

  it('asks for a model when a provider has several, and takes the only one', async () => {
    const several = await ScriptedModelServer.start({ script: [], models: ['small', 'large'] })
    const only = await ScriptedModelServer.start({ script: [say('Hello.')], models: ['the-one'] })
    const place = await newPlace('shared')
    const asked = await runCommand(withEnv(place, { OPENAI_BASE_URL: several.url }), ['run', 'Tell'])
    const host = new URL(several.url).host
    expect(asked).toEqual({
      code: 2,
      stdout: '',
      stderr: `turnstep: OPENAI_BASE_URL is set, but no model is named: set TURNSTEP_MODEL to one that ${host} has (small, large). Or unset OPENAI_BASE_URL to talk to the demonstration model.\n`,
    })
    const args = ['run', '--session', place.session, 'Tell']
    const taken = await runCommand(withEnv(place, { OPENAI_BASE_URL: only.url }), args)
    expect(taken).toMatchObject({ code: 0, stdout: 'Hello.\n' })
    await several.close()
    await only.close()
  })

  it.each([
    {
      name: 'turnstep.config.ts',
      content: 'export default {',
      said: 'turnstep.config.ts cannot be loaded: ',
    },
    {
      name: 'turnstep.config.mjs',
      content: 'export default {}',
      said: 'turnstep.config.mjs must default-export defineConfig({ agents: […] }) with at least one agent.\n',
    },
    {
      name: 'turnstep.config.ts',
      content:
        "import { defineAgent } from 'turnstep'\nexport default { agents: [defineAgent({ name: 'a b' })] }",
      said: 'turnstep.config.ts cannot be loaded: Agent "a b": name must be 1 to 128 characters out of A-Z a-z 0-9 _ . -',
    },
  ])('ends with 2 and names the file: $content', async ({ name, content, said }) => {
    const place = await newPlace('own')
    await writeFile(join(place.folder, name), content)
    const { code, stdout, stderr } = await runCommand(place, ['run', 'Tell'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(said)
    expect(stderr).not.toContain('    at ')
  })

  it('ends with 2 for an agent that is not there, and for a Session of another agent', async () => {
    const model = await scriptedModel(say('Hello.'))
    const place = await newPlace('shared', model)
    await writeFile(
      join(place.folder, 'turnstep.config.mjs'),
      `import { defineAgent, openaiChat } from 'turnstep'
       const agent = (name) => defineAgent({ name, instructions: '', model: openaiChat() })
       export default { agents: [agent('one'), agent('two')] }`,
    )
    const on = (agent: string) => ['run', '--session', place.session, '--agent', agent, 'Tell']
    expect(await runCommand(place, on('three'))).toMatchObject({
      code: 2,
      stderr: 'turnstep: There is no agent "three" here. There is: one, two.\n',
    })
    const { code, stderr } = await runCommand(place, on('two'))
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Model: scripted-model, of agent two in turnstep\.config\n/)
    expect(await runCommand(place, on('one'))).toMatchObject({
      code: 2,
      stderr: `turnstep: Session ${place.session} belongs to agent two. Use --session with another id for agent one.\n`,
    })
  })
})

describe('turnstep, without what it needs', () => {
  it('says what to start when nothing runs', async () => {
    const place = await newPlace('own')
    const said = `turnstep: Nothing runs for ${place.folder}/.turnstep. Start it with "turnstep start" (or "turnstep worker") in another terminal, or set TEMPORAL_ADDRESS.\n`
    for (const args of [['send', 'x'], ['steer', 'x'], ['abort']]) {
      expect(await runCommand(place, args)).toEqual({ code: 1, stdout: '', stderr: said })
    }
    expect(await readdir(place.folder)).toEqual([])
  })

  it('tells of an empty folder without leaving anything there', async () => {
    const place = await newPlace('own')
    expect(await runCommand(place, ['events'])).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await runCommand(place, ['status'])).toEqual({
      code: 0,
      stdout: 'Session main: idle, 0 turns, 0 events\nTemporal: not running\nWorker: none on this machine\n',
      stderr: '',
    })
    expect(await readdir(place.folder)).toEqual([])
  })

  it('says where there is no Temporal server', async () => {
    const place = withEnv(await newPlace('own'), { TEMPORAL_ADDRESS: '127.0.0.1:1' })
    const { code, stderr } = await runCommand(place, ['run', 'Tell'])
    expect(code).toBe(1)
    expect(stderr).toContain(
      'turnstep: There is no Temporal server at 127.0.0.1:1. Start one, or set TEMPORAL_ADDRESS to where it is.\n',
    )
  })

  it('says so when its server ends, and goes on with the next start', async () => {
    const model = await scriptedModel(hangAfter(1, say(['Half', ' of it.'])), say('Half of it.'))
    const place = await newPlace('own', model)
    const first = startCommand(place, 'run', 'Tell')
    await first.untilPrinted('stdout', 'Half')
    process.kill(await serverPid(place), 'SIGKILL')
    const { code, stderr } = await first.ended
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /turnstep: The Temporal server at .* has ended\. Start again: what was sent is kept, and an open turn goes on\.\n$/,
    )
    expect(await runCommand(place, ['start'])).toMatchObject({ code: 0, stdout: 'Half of it.\n' })
    assertLog(await logOf(place, 'main'), { settled: true })
  })

  it('says which namespace the server does not have', async () => {
    const place = withEnv(await newPlace('shared'), { TEMPORAL_NAMESPACE: 'nowhere' })
    const { code, stderr } = await runCommand(place, ['run', 'Tell'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/turnstep: .*namespace nowhere.*\n$/)
  })

  it('says what is wrong with the store', async () => {
    const place = await newPlace('own')
    await mkdir(join(place.folder, '.turnstep'))
    await writeFile(
      join(place.folder, '.turnstep', 'turnstep.db'),
      'This is no database, and long enough to be looked at.',
    )
    const { code, stderr } = await runCommand(place, ['run', 'Tell'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^turnstep: The file .*turnstep\.db is not a SQLite database\. .*\n$/)
  })

  it.skipIf(process.getuid?.() === 0)('says that the data folder cannot be written', async () => {
    const place = await newPlace('own')
    await chmod(place.folder, 0o500)
    const { code, stderr } = await runCommand(place, ['run', 'Tell'])
    await chmod(place.folder, 0o700)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^turnstep: The folder .*\n$/)
  })
})

describe('turnstep doctor', () => {
  it('ends with 0 where all is well, a line for each check', async () => {
    const place = await newPlace('shared', await scriptedModel())
    const { code, stdout } = await runCommand(place, ['doctor'])
    expect(code).toBe(0)
    expect(stdout.split('\n').map((line) => line.replace(/: .*/, ''))).toEqual([
      'ok    Node.js',
      'ok    Dependencies',
      'ok    Data folder',
      'ok    Store',
      'ok    Temporal',
      'ok    Configuration',
      'ok    Gateway',
      'ok    Model',
      '',
    ])
  })

  it('ends with 1 where something is wrong, and says what to do', async () => {
    const place = withEnv(await newPlace('own'), {
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      TURNSTEP_HOST: '0.0.0.0',
    })
    await writeFile(join(place.folder, 'turnstep.config.mjs'), 'export default {')
    const { code, stdout } = await runCommand(place, ['doctor', '--json'])
    expect(code).toBe(1)
    expect(
      jsonLines(stdout)
        .filter(({ state }) => state === 'wrong')
        .map(({ check }) => check),
    ).toEqual(['Temporal', 'Configuration', 'Gateway', 'Model'])
  })
})
