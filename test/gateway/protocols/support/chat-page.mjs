// @ts-nocheck: it runs in a browser, bundled by the test.
/** A page with one chat, as an application of the AI SDK writes it. `?api=` is the endpoint, `&id=` the chat. */
import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import { createElement as h, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const query = new URLSearchParams(location.search)
const api = query.get('api')
const id = query.get('id')
const transport = new DefaultChatTransport({ api })
const kept = JSON.parse(sessionStorage.getItem(id) ?? '[]')

function Page() {
  const [text, setText] = useState('')
  const chat = useChat({
    id,
    transport,
    messages: kept,
    resume: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  useEffect(() => sessionStorage.setItem(id, JSON.stringify(chat.messages)), [chat.messages])
  const send = () => chat.sendMessage({ text })
  const stop = () => fetch(`${api}/${id}/stop`, { method: 'POST' })
  return h(
    'main',
    null,
    chat.messages.map((message) => h(Message, { key: message.id, message, chat })),
    h('input', { 'aria-label': 'Message', value: text, onChange: (event) => setText(event.target.value) }),
    h('button', { type: 'button', onClick: send }, 'Send'),
    h('button', { type: 'button', onClick: chat.stop }, 'Leave'),
    h('button', { type: 'button', onClick: stop }, 'Stop'),
    h('output', { 'aria-label': 'Status' }, chat.status),
    h('output', { 'aria-label': 'Error' }, chat.error?.message ?? ''),
  )
}

/** Leaves out what an attempt said that started over. */
function Message({ message, chat }) {
  const voids = new Set(
    message.parts.flatMap((part) => (part.type === 'data-turnstep-void' ? [part.id] : [])),
  )
  const parts = message.parts.filter((part) => !voids.has(part.providerMetadata?.turnstep?.id))
  return h(
    'article',
    { 'aria-label': message.role },
    parts.map((part, index) => h(Part, { key: index, part, chat })),
  )
}

function Part({ part, chat }) {
  if (part.type === 'text') return h('p', null, part.text)
  if (!isToolUIPart(part)) return null
  const decide = (approved) => () =>
    chat.addToolApprovalResponse({ id: part.approval.id, approved, reason: 'As I said.' })
  return h(
    'div',
    { 'aria-label': part.type },
    h('code', null, part.state),
    part.state === 'approval-requested' && h('button', { type: 'button', onClick: decide(true) }, 'Approve'),
    part.state === 'approval-requested' && h('button', { type: 'button', onClick: decide(false) }, 'Deny'),
  )
}

createRoot(document.getElementById('root')).render(h(Page))
