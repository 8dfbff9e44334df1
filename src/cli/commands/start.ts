import { type TalkOptions, talk } from '../chat/talk.ts'

/**
 * `turnstep start`: everything on one machine, the gateway, and a chat. Ctrl-C leaves nothing running and loses nothing: an open
 * Turn goes on with the next start.
 */
export function start(options: TalkOptions): Promise<number> {
  return talk(options, 'leave', { serves: true })
}
