/**
 * Which model the default agent talks to: a real one when the environment says where, else the demonstration model.
 */
import type { OpenAiSettings } from '../config.ts'
import { TurnstepError } from '../core/errors.ts'
import type { Model } from '../core/ports.ts'
import { openaiChat } from '../model/openai-chat.ts'
import { DEMONSTRATION_MODEL, startDemonstrationModel } from './demonstration-model.ts'
import { listModels } from './list-models.ts'

export interface ChosenModel {
  readonly model: Model
  /** One line that says plainly what answers. */
  readonly description: string
  close(): Promise<void>
}

const MAX_NAMED = 8

/** Fails with `invalid-config` when a provider is configured and no model is named, saying which there are. */
export async function chooseModel(openai: OpenAiSettings): Promise<ChosenModel> {
  if (openai.apiKey === undefined && openai.baseUrl === undefined) return demonstration(openai)
  const host = openai.baseUrl === undefined ? 'api.openai.com' : new URL(openai.baseUrl).host
  const name = openai.model ?? (await onlyModel(openai, host))
  const model = openaiChat({ model: name, baseUrl: openai.baseUrl, apiKey: openai.apiKey })
  return { model, description: `Model: ${name} at ${host}`, close: () => Promise.resolve() }
}

async function demonstration({ model: ignored }: OpenAiSettings): Promise<ChosenModel> {
  const server = await startDemonstrationModel()
  const model = openaiChat({ model: DEMONSTRATION_MODEL, baseUrl: server.url })
  const how =
    ignored === undefined
      ? 'For a real one set OPENAI_API_KEY or OPENAI_BASE_URL, and TURNSTEP_MODEL.'
      : 'TURNSTEP_MODEL alone does not say where: set OPENAI_API_KEY or OPENAI_BASE_URL, too.'
  return {
    model,
    description: `Model: the demonstration model, a small program of turnstep's and no language model. ${how}`,
    close: () => server.close(),
  }
}

/** Where no model is named: the one that the server has, if it has exactly one. */
async function onlyModel(openai: OpenAiSettings, host: string): Promise<string> {
  const listed = await listModels(openai)
  const names = listed.kind === 'listed' ? listed.names : []
  const [first] = names
  if (first !== undefined && names.length === 1) return first
  const offered = names.slice(0, MAX_NAMED).join(', ')
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const variable = openai.apiKey === undefined ? 'OPENAI_BASE_URL' : 'OPENAI_API_KEY'
  throw new TurnstepError(
    'invalid-config',
    `${variable} is set, but no model is named: set TURNSTEP_MODEL to one that ${host} has${
      offered === '' ? '' : ` (${offered}${more})`
    }. Or unset ${variable} to talk to the demonstration model.`,
  )
}
