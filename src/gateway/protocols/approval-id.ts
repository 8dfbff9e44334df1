/**
 * Ids of approvals as protocols carry them there and back: the call, and the arguments that the human saw.
 */

export interface ApprovalTarget {
  readonly callId: string
  readonly argumentsDigest: string
}

export function approvalIdOf({ callId, argumentsDigest }: ApprovalTarget): string {
  return `${callId}:${argumentsDigest}`
}

/** The inverse of {@link approvalIdOf}; undefined for anything that it did not make. */
export function parseApprovalId(id: string): ApprovalTarget | undefined {
  const at = id.indexOf(':')
  return at <= 0 ? undefined : { callId: id.slice(0, at), argumentsDigest: id.slice(at + 1) }
}
