import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Tool } from '../../../src/tools/index.ts'
import { createToolHost } from '../../../src/tools/index.ts'
import { toolContext } from '../tool-context.ts'

/** A folder with these files, gone when the test is over. */
export function tempFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'turnstep-tools-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

/** Calls a tool as the runtime does: validated first. Rejects with the problem of invalid arguments. */
export async function call(tool: Tool, args: unknown, signal?: AbortSignal): Promise<unknown> {
  const host = createToolHost([tool])
  const validation = await host.validate(tool.name, args)
  if (validation.kind === 'invalid') throw new Error(validation.problem)
  return host.run(tool.name, validation.args, toolContext(signal))
}
