import type { Agent } from '../core/agent.ts'
import type { Model } from '../core/ports.ts'
import { defineAgent } from '../define-agent.ts'
import { calculator, currentTime, folderTools, writeFile } from '../tools/builtin/index.ts'

const INSTRUCTIONS = [
  'You answer questions about the folder that you were started in, and do so from what your tools return.',
  'Look before you answer: list, search or read files, and calculate with the calculator. Do not guess numbers,',
  'names or contents. Paths are relative to that folder; nothing outside it can be read or written. Write files only',
  'when you are asked to; a human approves each. Answer briefly, and name the files you rely on.',
].join('\n')

/** The agent of a folder without a configuration file: it reads that folder, writes there what a human approves, calculates and tells the time. */
export function defaultAgent(model: Model, folder: string): Agent {
  return defineAgent({
    name: 'default',
    instructions: INSTRUCTIONS,
    model,
    tools: [...folderTools({ root: folder }), writeFile({ root: folder }), calculator, currentTime],
  })
}
