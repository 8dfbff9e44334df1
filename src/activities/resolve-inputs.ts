import type { ResolvedInput } from '../core/claim-inputs.ts'
import type { Content } from '../core/message.ts'
import type { SessionStore } from '../core/ports.ts'
import { readStoredContent } from '../core/read-signal.ts'
import type { QueuedInput, WireContent } from '../core/wire.ts'
import { isContentRef } from '../core/wire.ts'

/** Fetches the content of inputs that carry only a reference. What the store does not have is undefined. */
export async function resolveInputs(
  store: SessionStore,
  tenant: string,
  inputs: readonly QueuedInput[],
): Promise<readonly ResolvedInput[]> {
  return Promise.all(
    inputs.map(async ({ content, ...input }) => ({
      ...input,
      content: await resolveContent(store, tenant, content),
    })),
  )
}

/** A content itself, or what its reference stands for. */
export async function resolveContent(
  store: SessionStore,
  tenant: string,
  content: WireContent,
): Promise<Content | undefined> {
  if (!isContentRef(content)) return content
  const text = await store.getContent(tenant, content.ref)
  return text === undefined ? undefined : readStoredContent(text)
}

/** The inputs, marked where guardrails are to judge them. */
export function toBeJudged(inputs: readonly ResolvedInput[], isGuarded: boolean): readonly ResolvedInput[] {
  return isGuarded ? inputs.map((input) => ({ ...input, judged: 'pending' as const })) : inputs
}
