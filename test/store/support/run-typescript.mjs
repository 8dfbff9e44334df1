/**
 * Lets a child process run the sources as they are: `node --import ./run-typescript.mjs SCRIPT.ts`. The same file
 * is the registration (on the main thread) and the loader hooks (on Node's loader thread).
 */
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) register(import.meta.url)

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context)
  const { default: typescript } = await import('typescript')
  const { outputText } = typescript.transpileModule(await readFile(new URL(url), 'utf8'), {
    compilerOptions: {
      module: typescript.ModuleKind.ESNext,
      target: typescript.ScriptTarget.ES2023,
      verbatimModuleSyntax: true,
    },
  })
  return { format: 'module', source: outputText, shortCircuit: true }
}
