import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../src/cli/run-command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const handOver = new URL('../../scripts/setup/hand-over.mjs', import.meta.url).href

/** Hands over to a program of this source, and returns how that ended. */
async function handOverTo(source: string) {
  const program = join(await temporaryFolder(), 'program.mjs')
  await writeFile(program, source)
  const script = `import { handOver } from '${handOver}'; await handOver('${program}', ['run', 'TEXT'])`
  return runCommand(process.execPath, ['--input-type=module', '-e', script])
}

describe('handOver', () => {
  it('gives the program its own path and arguments', async () => {
    const { output } = await handOverTo(
      'console.log(import.meta.filename === process.argv[1], process.argv.slice(2))',
    )
    expect(output).toBe("true [ 'run', 'TEXT' ]\n")
  })

  it('leaves the exit code to the program', async () => {
    expect(await handOverTo('process.exitCode = 3')).toMatchObject({ code: 3 })
  })

  it('lets one Ctrl-C be one, although npm sends it on a second time', async () => {
    const source = `
      process.on('SIGINT', () => console.log('interrupted'))
      process.on('SIGTERM', () => console.log('terminated'))
      for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGTERM']) process.emit(signal, signal)
    `
    expect((await handOverTo(source)).output).toBe('interrupted\nterminated\nterminated\n')
  })
})
