import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { assertLog } from '../../../src/core/verify-log.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { callTools, say } from '../../../src/testing/scripted-answer.ts'
import { newPlace } from './support/place.ts'
import { scriptedModel } from './support/scripted-model.ts'
import { runCommand } from './support/turnstep-command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const readme = await readFile(join(root, 'README.md'), 'utf8')

/** A folder in which the package is installed beside what an application installs itself. */
async function install(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules', '@temporalio'), { recursive: true })
  await symlink(root, join(folder, 'node_modules', 'turnstep'))
  for (const name of ['zod', '@temporalio/worker'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
}

describe('README.md', () => {
  it('has an example of the library that runs as it stands', async () => {
    const model = await scriptedModel(
      callTools({ tool: 'order_status', arguments: { orderId: 'A7' } }),
      say('Order A7 has been shipped.'),
    )
    const place = await newPlace('shared', model)
    await install(place.folder)
    const [, example = ''] = /```js\n(.*?)```/s.exec(readme) ?? []
    await writeFile(join(place.folder, 'example.mjs'), example.replace('customer-42', place.session))
    const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], {
      cwd: place.folder,
      env: place.env,
    })
    expect(stdout).toContain("reason: 'completed'")
    expect(stdout).toContain("text: 'Order A7 has been shipped.'")
    const store = await openSqliteStore({ path: join(place.folder, 'orders.db') })
    const log = await store.read({ tenant: 'default', session: place.session })
    await store.close()
    assertLog(log, { settled: true })
    expect(log.find((event) => event.type === 'tool/result')).toMatchObject({
      kind: 'ok',
      content: '{"orderId":"A7","status":"shipped"}',
    })
  })

  it('shows `npm start -- run` first, and names every command that there is', async () => {
    const [, first] = /```sh\n(.*?)\n/s.exec(readme) ?? []
    expect(first).toBe('npm start -- run "Which TypeScript file here has the most lines?"')
    const { stdout } = await runCommand(await newPlace('own'), ['--help'])
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name)
    const rows = [...readme.matchAll(/^\| ((?:`[^`]+` ?)+)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-z]+)/g)].map(([, name]) => name),
    )
    expect(rows.toSorted()).toEqual(commands.filter((name) => name !== 'help').toSorted())
  })

  it('links to files that are there', async () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path)
    for (const path of links.filter((link) => !link.endsWith('/'))) await readFile(join(root, path), 'utf8')
    expect(links.length).toBeGreaterThan(4)
  })
})

describe('docs/errors.md', () => {
  it('has a row for each code of the library', async () => {
    const errors = await readFile(join(root, 'src', 'core', 'errors.ts'), 'utf8')
    const union = /export type ErrorCode =(.*?)\n\n/s.exec(errors)?.[1] ?? ''
    const codes = [...union.matchAll(/\| '([a-z-]+)'/g)].map(([, code]) => code)
    const page = await readFile(join(root, 'docs', 'errors.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code)
    expect(rows).toEqual(expect.arrayContaining(codes))
  })
})
