/**
 * The points at which a worker can die under a Turn that calls one tool and then answers.
 *
 * A Turn passes through stages, each an activity of the loop, and each stage through phases. Every point is one
 * place of one phase. What the log must end with at a point, and which point may follow which in the same Turn,
 * follow from stage and phase.
 */
import type { TurnActivities } from '../../src/activities/contracts.ts'
import type { EventType } from '../../src/core/event.ts'
import type { ToolEffect } from '../../src/core/receipt.ts'

export const EFFECTS: readonly ToolEffect[] = ['once', 'idempotent', 'read']

/** The stages of the Turn in order, each with its activity, and the Step that it serves. */
export const STAGES = [
  { name: 'opening', activity: 'openTurn', step: 0, logBefore: undefined, logWithin: undefined },
  {
    name: 'model call 1',
    activity: 'callModel',
    step: 1,
    logBefore: 'user/message',
    logWithin: 'step/start',
  },
  { name: 'tool call', activity: 'runTool', step: 1, logBefore: 'assistant/message', logWithin: 'tool/call' },
  { name: 'model call 2', activity: 'callModel', step: 2, logBefore: 'tool/result', logWithin: 'step/start' },
  { name: 'closing', activity: 'closeTurn', step: 0, logBefore: 'assistant/message', logWithin: undefined },
  { name: 'end', activity: 'none', step: 0, logBefore: 'turn/end', logWithin: undefined },
] as const satisfies readonly {
  readonly name: string
  readonly activity: keyof TurnActivities | 'none'
  readonly step: number
  /** The last event before its first commit, and between its first and its last. */
  readonly logBefore: EventType | undefined
  readonly logWithin: EventType | undefined
}[]

/** `working` is between the first and the last commit of an activity that makes two. */
const PHASES = ['scheduling', 'queued', 'begun', 'working', 'recorded'] as const
export type Phase = (typeof PHASES)[number]

/** Where within its own code a worker process waits for its death. */
export type Moment = 'workflow task' | 'first commit' | 'before work' | 'after work' | 'answer'

/** What holds a Turn at its point until the worker is killed. */
export type Holder =
  | { readonly by: 'worker'; readonly moment: Moment }
  /** Nobody: the worker takes no activities any more when the one before is answered. */
  | { readonly by: 'queue' }
  | { readonly by: 'model server'; readonly afterChunks: number }
  /** The tool server holds its answer; or sends it in the instant before the worker dies. */
  | { readonly by: 'tool server'; readonly answers: boolean }

export interface Point {
  readonly name: string
  /** Index into `STAGES`. */
  readonly stage: number
  readonly phase: Phase
  readonly holder: Holder
  /** Whether the provider was asked, or the tool has had its effect, in the attempt that dies. */
  readonly isSpent: boolean
}

/** A life of a worker process kills at points that are reached in the same way. */
export const KINDS = ['plain', 'queue', 'workflow task'] as const
export type Kind = (typeof KINDS)[number]

export const POINTS: readonly Point[] = [
  ...schedulingPoints(),
  point(0, 'begun', 'before its commit', worker('first commit')),
  point(0, 'recorded', 'after its commit, before its answer', worker('answer')),
  ...modelPoints(1),
  point(2, 'begun', 'before the claim', worker('first commit')),
  point(2, 'working', 'after the claim, before the request', worker('before work')),
  spent(2, 'after the effect, before its answer', { by: 'tool server', answers: false }),
  spent(2, 'after its answer was sent', { by: 'tool server', answers: true }),
  spent(2, 'after its answer came, before the receipt', worker('after work')),
  point(2, 'recorded', 'after the receipt, before its answer', worker('answer')),
  ...modelPoints(3),
  point(4, 'begun', 'before its commit', worker('first commit')),
  point(4, 'recorded', 'after its commit, before its answer', worker('answer')),
].sort((a, b) => a.stage - b.stage || PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase))

export function kindOf({ phase }: Point): Kind {
  if (phase === 'queued') return 'queue'
  return phase === 'scheduling' ? 'workflow task' : 'plain'
}

/** Whether the call of the tool is under way: here its effect makes a difference. */
export function isOfTool({ stage }: Point): boolean {
  return STAGES[stage]?.activity === 'runTool'
}

/** Whether a Turn that died at these points, in this order, can come to `next` afterwards, by the effect of its tool. */
export function canFollow(deaths: readonly Point[], next: Point, effect: ToolEffect): boolean {
  const last = deaths.at(-1)
  if (last === undefined) return true
  if (next.stage !== last.stage) return next.stage > last.stage
  switch (next.phase) {
    case 'scheduling':
    case 'queued':
      return false
    case 'working': {
      const phases = deaths.filter(({ stage }) => stage === next.stage).map(({ phase }) => phase)
      // What a call that must not run twice has begun is not begun again.
      if (isOfTool(next) && effect === 'once' && phases.includes('working')) return false
      return !phases.includes('recorded')
    }
    case 'begun':
    case 'recorded':
      return true
  }
}

/** The type of the last event in the log of a Turn that dies at `at` and died at `earlier` points. */
export function lastEventAt(at: Point, earlier: readonly Point[]): EventType | undefined {
  const phases = [at, ...earlier.filter(({ stage }) => stage === at.stage)].map(({ phase }) => phase)
  if (phases.includes('recorded')) return STAGES[at.stage + 1]?.logBefore
  return phases.includes('working') ? STAGES[at.stage]?.logWithin : STAGES[at.stage]?.logBefore
}

function schedulingPoints(): readonly Point[] {
  return STAGES.flatMap(({ name }, stage) => [
    point(stage, 'scheduling', 'in the workflow task', worker('workflow task')),
    ...(name === 'end' ? [] : [point(stage, 'queued', 'in its queue', { by: 'queue' })]),
  ])
}

function modelPoints(stage: number): readonly Point[] {
  return [
    point(stage, 'begun', "before its Step's commit", worker('first commit')),
    point(stage, 'working', 'before the request', worker('before work')),
    spent(stage, 'before the first token', { by: 'model server', afterChunks: 0 }),
    spent(stage, 'mid stream', { by: 'model server', afterChunks: 1 }),
    spent(stage, 'after the last byte, before the message', worker('after work')),
    point(stage, 'recorded', 'after the message, before its answer', worker('answer')),
  ]
}

function point(stage: number, phase: Phase, place: string, holder: Holder): Point {
  return { name: `${STAGES[stage]?.name}: ${place}`, stage, phase, holder, isSpent: false }
}

function spent(stage: number, place: string, holder: Holder): Point {
  return { ...point(stage, 'working', place, holder), isSpent: true }
}

function worker(moment: Moment): Holder {
  return { by: 'worker', moment }
}
