/**
 * What the gateway says when something cannot be done (RFC 9457), and what a person can do about it.
 */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly code: string
  /** 0 when no answer came. */
  readonly status: number
  /** Whether a key or token would help. */
  readonly isKeyWanted: boolean

  constructor(problem: {
    readonly code: string
    readonly status: number
    readonly detail: string
    readonly isKeyWanted?: boolean
  }) {
    super(problem.detail)
    this.code = problem.code
    this.status = problem.status
    this.isKeyWanted = problem.isKeyWanted ?? false
  }
}

/** The problem that an answer is; whatever is not a problem document is described by its status. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => undefined)
  const { status } = response
  const fields = typeof body === 'object' && body !== null ? body : {}
  const isKeyWanted = /^Bearer/i.test(response.headers.get('www-authenticate') ?? '')
  return new ApiProblem({
    code: 'code' in fields && typeof fields.code === 'string' ? fields.code : `http-${status}`,
    status,
    detail:
      'detail' in fields && typeof fields.detail === 'string'
        ? fields.detail
        : `The gateway answered with status ${status}.`,
    isKeyWanted,
  })
}

export const UNREACHABLE = 'unreachable'

export function unreachable(): ApiProblem {
  return new ApiProblem({ code: UNREACHABLE, status: 0, detail: 'The gateway cannot be reached.' })
}

const ADVICE: Readonly<Record<string, string>> = {
  [UNREACHABLE]: 'Check that turnstep still runs. What was sent before is kept; try again when it is back.',
  forbidden: 'Your key may not do this. Ask whoever runs this installation.',
  'session-busy': 'Wait for the Turn to end, steer it, or stop it.',
  'turn-not-running': 'The Turn is over already; nothing is left to stop.',
  'input-already-claimed': 'It is part of a Turn already. Steer or stop the Turn instead.',
  'already-decided': 'Somebody decided before you; their decision counts.',
  'arguments-changed': 'What is asked about has changed. Look at it again.',
  'too-late': 'Its time is over. The model is told that it was denied.',
  'call-not-waiting': 'Nothing waits for this any more.',
  'spill-not-found': 'It is not kept any more.',
  'too-many-requests': 'Wait a moment and try again.',
  'payload-too-large': 'Make it shorter.',
  'invalid-input': 'Correct it and try again.',
  'store-unavailable': 'The store is busy or away. Try again in a moment.',
  'temporal-unavailable': 'Temporal cannot be reached. `turnstep doctor` says what is missing.',
}

/** What to do, one sentence; undefined where nothing better than trying again is known. */
export function adviceFor(problem: ApiProblem): string | undefined {
  if (Object.hasOwn(ADVICE, problem.code)) return ADVICE[problem.code]
  return problem.status >= 500 ? 'Try again; if it stays, look into the log of the gateway.' : undefined
}
