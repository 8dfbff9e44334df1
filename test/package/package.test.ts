import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../../src/cli/run-command.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnstep-package-'))
  const target = join(folder, 'node_modules', 'turnstep')
  await mkdir(target, { recursive: true })
  const packed = await runCommand('npm', [
    ...['pack', root, '--ignore-scripts', '--silent', '--pack-destination', folder],
  ])
  await runCommand('tar', ['-xzf', join(folder, packed.lastLine), '-C', target, '--strip-components=1'])
  await symlink(join(root, 'node_modules'), join(target, 'node_modules'))
  return () => rm(folder, { recursive: true, force: true })
})

/** Runs a module in a folder that has the package in its node_modules, and returns what it prints. */
async function print(source: string): Promise<string> {
  const path = join(folder, 'main.mjs')
  await writeFile(path, source)
  return (await runCommand(process.execPath, [path])).output.trim()
}

describe('the package', () => {
  it('exports the library, the test kit and the workflows', async () => {
    const source = `
      import { connect, defineAgent } from 'turnstep'
      import { ScriptedModelServer } from 'turnstep/testing'
      import { turnWorkflow } from 'turnstep/workflows'
      console.log(typeof connect, typeof defineAgent, typeof ScriptedModelServer, typeof turnWorkflow)
    `
    expect(await print(source)).toBe('function function function function')
  })

  it('brings the workflows as a bundle, so that a worker need not make one', async () => {
    const bundle = await readFile(
      join(folder, 'node_modules', 'turnstep', 'dist', 'workflow-bundle.js'),
      'utf8',
    )
    expect(bundle).toContain('turnWorkflow')
  })

  it('brings the console, whose page loads nothing from elsewhere', async () => {
    const page = await readFile(
      join(folder, 'node_modules', 'turnstep', 'dist', 'console', 'index.html'),
      'utf8',
    )
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)
    expect(addresses).toEqual([
      '/icon.svg',
      expect.stringMatching(/^\/assets\/.+\.js$/),
      expect.stringMatching(/^\/assets\/.+\.css$/),
    ])
  })

  it('is what a configuration file means by turnstep, also in a folder without node_modules', async () => {
    const project = await mkdtemp(join(tmpdir(), 'turnstep-project-'))
    onTestFinished(() => rm(project, { recursive: true, force: true }))
    await writeFile(
      join(project, 'turnstep.config.ts'),
      `
        import { defineAgent, defineConfig, openaiChat } from 'turnstep'
        const model = openaiChat({ model: 'small' as const, apiKey: 'key' })
        export default defineConfig({ agents: [defineAgent({ name: 'clerk', instructions: 'Be brief.', model })] })
      `,
    )
    const source = `
      import { loadConfig } from './node_modules/turnstep/dist/config.js'
      const { agents } = await loadConfig(${JSON.stringify(project)})
      console.log(agents[0].snapshot.name)
    `
    expect(await print(source)).toBe('clerk')
  })

  it('has a command that says how it is used', async () => {
    const command = join(folder, 'node_modules', 'turnstep', 'dist', 'cli', 'main.js')
    expect(await runCommand(command, ['--help'])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Usage: turnstep /),
    })
  })
})

describe('npm start', () => {
  it('hands arguments over, and the exit code back', async () => {
    const args = ['start', '--silent', '--prefix', root, '--', 'no-such-command']
    expect(await runCommand('npm', args)).toMatchObject({
      code: 2,
      output: expect.stringContaining("unknown command 'no-such-command'"),
    })
  })
})
