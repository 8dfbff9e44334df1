/**
 * A payload converter that never throws on what it cannot read.
 *
 * A signal whose payload cannot be decoded would fail its workflow task for ever; a marker reaches the
 * handler instead, which refuses it. Composes with a converter of the user's.
 */
import type { ConverterHint, Payload, PayloadConverter, SerializationContext } from '@temporalio/common'
import { defaultPayloadConverter } from '@temporalio/common'
import { UNDECODABLE } from '../core/wire.ts'

/** Stands for a payload that could not be decoded. */
export interface UndecodablePayload {
  readonly [UNDECODABLE]: string
}

/** Wraps a converter so that decoding never fails. Encoding is the wrapped converter's. */
export function tolerantPayloadConverter(inner: PayloadConverter): PayloadConverter {
  return {
    toPayload: (value, ...rest) => inner.toPayload(value, ...rest),
    fromPayload<T>(payload: Payload, context?: SerializationContext, hint?: ConverterHint<T>): T {
      try {
        return inner.fromPayload<T>(payload, context, hint)
      } catch (error) {
        const marker: UndecodablePayload = {
          [UNDECODABLE]: error instanceof Error ? error.message : 'unknown',
        }
        return marker as T
      }
    },
  }
}

/** The converter that the workflow bundle and our worker use; Temporal finds it by this name. */
export const payloadConverter = tolerantPayloadConverter(defaultPayloadConverter)
