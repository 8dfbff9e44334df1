import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const SCRIPT = fileURLToPath(new URL('./append-in-child.ts', import.meta.url))
const LOADER = new URL('./run-typescript.mjs', import.meta.url).href

/** A process that is about to write: `begin` lets it, and settles with its exit code when it is done. */
export interface ChildWriter {
  begin(): Promise<number | null>
}

/** Starts a process that will make `count` commits to the store at `path`. It is gone after the test. */
export async function startChildWriter(path: string, name: string, count: number): Promise<ChildWriter> {
  const child = fork(SCRIPT, [path, name, String(count)], { execArgv: ['--import', LOADER] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`The child process ended before it was ready, with code ${String(code)}`)
    }),
  ])
  return {
    async begin() {
      const exit = once(child, 'exit')
      child.send('begin')
      const [code] = await exit
      return typeof code === 'number' ? code : null
    },
  }
}
