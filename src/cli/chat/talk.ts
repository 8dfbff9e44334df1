import type { ServedGateway } from '../../gateway/serve-gateway.ts'
import { serveBeside } from '../gateway/serve-beside.ts'
import { exitOnInterrupt } from '../interrupts.ts'
import { type CommonOptions, readSettings } from '../options.ts'
import { streamOutlet } from '../output/outlet.ts'
import { announceOpenTurns } from '../stack/announce-open-turns.ts'
import { Stack } from '../stack/stack.ts'
import { Conversation } from './conversation.ts'
import { converseLines } from './converse-lines.ts'
import { type CtrlC, TerminalChat } from './terminal-chat.ts'

export interface TalkOptions extends CommonOptions {
  readonly agent?: string
}

/**
 * Brings up what is missing and talks until the user leaves: in a terminal a chat, else a followup for each line of
 * standard input. Returns the exit code.
 */
export async function talk(
  options: TalkOptions,
  ctrlC: CtrlC,
  { serves = false }: { readonly serves?: boolean } = {},
): Promise<number> {
  const settings = readSettings(options)
  const outlet = streamOutlet()
  let note = outlet.note
  // Nothing has been sent yet, and a server that was started ends with this process.
  const ignore = exitOnInterrupt()
  const { session: sessionId, json, agent } = options
  const stack = await Stack.open({
    settings,
    folder: process.cwd(),
    session: sessionId,
    agent,
    note: (line) => note(line),
  })
  let gateway: ServedGateway | undefined
  try {
    if (serves) gateway = await serveBeside(stack, settings, outlet.note)
    await announceOpenTurns(stack.store, sessionId, outlet.note)
    ignore()
    if (json === undefined && process.stdin.isTTY && process.stdout.isTTY) {
      const chat = new TerminalChat({ stack, sessionId, ctrlC })
      note = (line) => chat.screen.note(line)
      return await chat.run()
    }
    const conversation = new Conversation({
      stack,
      sessionId,
      outlet,
      json: json === true,
      echoes: false,
      deniesApprovals: true,
    })
    return await converseLines({
      conversation,
      input: process.stdin,
      note: outlet.note,
      failure: stack.failure,
    })
  } finally {
    ignore()
    outlet.endLine()
    exitOnInterrupt()
    await gateway?.close()
    await stack.close()
  }
}
