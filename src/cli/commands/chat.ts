import { type TalkOptions, talk } from '../chat/talk.ts'

/** `turnstep chat`: a chat with what runs, or with what is brought up for it. Ctrl-C stops the running Turn. */
export function chat(options: TalkOptions): Promise<number> {
  return talk(options, 'stop-turn')
}
