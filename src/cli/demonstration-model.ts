/**
 * A model server for a machine without a model: the same protocol, a small program behind it.
 *
 * It understands a few plain questions, calls the tools it is offered, and says only what their receipts say.
 */
import type { ChatRequest } from '../testing/chat-request.ts'
import { callTools, type ScriptedReply, say } from '../testing/scripted-answer.ts'
import { ScriptedModelServer } from '../testing/scripted-model-server.ts'
import { answerAll } from './demonstration/answer-question.ts'
import { assignmentOf } from './demonstration/receipts.ts'

export const DEMONSTRATION_MODEL = 'turnstep-demonstration'

const WHAT_IT_IS =
  'I am the demonstration model of turnstep: a small program, no language model. I understand a few questions ' +
  'about the folder that I was started in, and answer them by calling tools. Try:\n' +
  '- Which TypeScript file here has the most lines?\n' +
  '- How many Markdown files are there?\n' +
  '- What is in package.json?\n' +
  '- Where is "main" used?\n' +
  '- What is 12 * (3 + 4)?\n' +
  '- What time is it?\n' +
  '- Write "hello" to notes.txt (which you are asked to approve)\n\n' +
  'For everything else connect a model: set OPENAI_API_KEY, or OPENAI_BASE_URL and TURNSTEP_MODEL.'

const PIECE_CHARACTERS = 8

/** Listens on a free port of 127.0.0.1. `url` is an OpenAI-compatible base URL, which needs no key. */
export async function startDemonstrationModel(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = await ScriptedModelServer.start({
    respond: demonstrationReply,
    models: [DEMONSTRATION_MODEL],
    journal: { entries: 1 },
  })
  return {
    url: server.url,
    close: async () => {
      server.takeViolations()
      await server.close()
    },
  }
}

/** The reply to a request: the next tool call, or the answer. A pure function of the request. */
export function demonstrationReply(request: ChatRequest): ScriptedReply {
  const { questions, receipts } = assignmentOf(request)
  if (questions.length === 0) return say(WHAT_IT_IS, { chunkCharacters: PIECE_CHARACTERS })
  const offered = new Set((request.tools ?? []).map((tool) => tool.function.name))
  const answer = answerAll(questions)
  let step = answer.next()
  for (const receipt of receipts) {
    if (step.done === true) break
    step = answer.next(receipt)
  }
  if (step.done === true) return say(step.value, { chunkCharacters: PIECE_CHARACTERS })
  const { tool } = step.value
  return offered.has(tool)
    ? callTools(step.value)
    : say(`To answer that I need the tool ${tool}, which I was not given.`, {
        chunkCharacters: PIECE_CHARACTERS,
      })
}
