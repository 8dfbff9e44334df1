import type { CheckFactory } from './check.ts'

/** No message is stored that a provider would refuse, and of an interrupted one only its text is kept. */
export const checkMessages: CheckFactory = (report) => ({
  visit(event) {
    if (event.type !== 'assistant/message') return
    const { text, calls, reasoning, interrupted } = event
    if (text.trim() === '' && calls.length === 0) {
      report('empty-message', 'an assistant message has neither text nor calls', event)
    }
    if (interrupted && (calls.length > 0 || reasoning !== undefined)) {
      report('interrupted-message', 'an interrupted message keeps calls or reasoning', event)
    }
  },
})
