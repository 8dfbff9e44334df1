import type { DecisionOptions, PendingApproval, Session } from '../../client/index.ts'
import { TurnstepError } from '../../core/errors.ts'
import { DEFAULT_TENANT } from '../../core/ids.ts'
import { type CommonOptions, readSettings } from '../options.ts'
import { describeWaiting } from '../output/describe-approval.ts'
import { printLine } from '../output/json-lines.ts'
import { type Attached, attach } from '../stack/attach.ts'

export interface DecideOptions extends CommonOptions {
  readonly note?: string
  readonly by?: string
  readonly scope?: 'once' | 'session'
  readonly then?: 'continue' | 'replan'
  /** JSON text of an object, for `edit`. */
  readonly arguments?: string
  /** What is to be said instead, for `edit` of a text. */
  readonly text?: string
  /** Digest of the arguments that were seen. */
  readonly digest?: string
}

/** `turnstep decide [CALL DECISION]`: decides on a call, or a text, that waits; without arguments lists those that do. */
export async function decide(
  call: string | undefined,
  decision: DecisionOptions['decision'] | undefined,
  options: DecideOptions,
): Promise<number> {
  const attached = await attach(readSettings(options))
  try {
    const session = attached.client.session(options.session)
    if (call === undefined)
      return list(await session.approvals(), await waitingElsewhere(attached, options), options)
    if (decision === undefined)
      throw new TurnstepError('invalid-input', 'Say how: turnstep decide CALL approve|edit|deny|replan')
    await take(session, call, decision, options)
    if (options.json === true) printLine({ callId: call, decision })
    else process.stdout.write(`${call}: ${decision}.\n`)
    return 0
  } finally {
    await attached.close()
  }
}

/** Other Sessions in which something waits. */
async function waitingElsewhere(
  { client, store }: Attached,
  { session }: DecideOptions,
): Promise<readonly string[]> {
  const open = (await store.openTurns())
    .map(({ key }) => key)
    .filter((key) => key.tenant === DEFAULT_TENANT && key.session !== session)
  const found = await Promise.all(
    open.map(async (key) =>
      (await client.session(key.session).approvals()).length > 0 ? [key.session] : [],
    ),
  )
  return found.flat()
}

function list(
  approvals: readonly PendingApproval[],
  elsewhere: readonly string[],
  options: DecideOptions,
): number {
  if (options.json === true) for (const approval of approvals) printLine(approval)
  else if (approvals.length === 0)
    process.stdout.write(`Nothing waits for a decision in session ${options.session}.\n`)
  else process.stdout.write(`${approvals.flatMap(describeWaiting).join('\n')}\n`)
  if (options.json !== true)
    for (const session of elsewhere)
      process.stdout.write(`Something waits in session ${session}: turnstep decide --session ${session}\n`)
  return 0
}

async function take(
  session: Session,
  call: string,
  decision: DecisionOptions['decision'],
  options: DecideOptions,
): Promise<void> {
  const { note, by, scope, then, digest, text, arguments: args } = options
  await session.decide(call, {
    decision,
    ...(note === undefined ? {} : { note }),
    ...(by === undefined ? {} : { by }),
    ...(scope === undefined ? {} : { scope }),
    ...(then === undefined ? {} : { then }),
    ...(digest === undefined ? {} : { argumentsDigest: digest }),
    ...(args === undefined ? {} : { arguments: readArguments(args) }),
    ...(text === undefined ? {} : { text }),
  })
}

function readArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>
  } catch {
    // Said below.
  }
  throw new TurnstepError('invalid-input', '--arguments must be a JSON object.')
}
