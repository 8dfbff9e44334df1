import { describe, expect, it } from 'vitest'
import { announcementOf } from '../../../src/console/view/announcement.ts'
import { remainingText, subjectOf } from '../../../src/console/view/approval-words.ts'
import { budgetsOf } from '../../../src/console/view/budgets.ts'
import { actionFor, SHORTCUTS } from '../../../src/console/view/shortcuts.ts'
import { turnViewOf } from '../../../src/console/view/turn-view.ts'
import { usageChartOf } from '../../../src/console/view/usage-chart.ts'
import { RECEIPT_SIGNS, signOf } from '../../../src/console/view/words.ts'
import { sampleTurn, seal, standardEvents } from '../../core/sample-log.ts'

const NOW = Date.parse('2025-01-01T00:00:05.000Z')
const viewOf = (events: Parameters<typeof seal>[0]) =>
  turnViewOf({ kind: 'turn', turnId: 'u1', turn: 1, events: seal(events) })

const APPROVAL = {
  callId: 'c1_1_0',
  tool: 'write_file',
  arguments: '{}',
  argumentsDigest: 'digest',
  risk: 'high',
  expiresAt: '2025-01-01T00:10:00.000Z',
  turnId: 'u1',
  step: 1,
} as const

describe('signs', () => {
  it('have a word and an icon for each receipt, no two the same', () => {
    const signs = Object.values(RECEIPT_SIGNS)
    expect(new Set(signs.map(({ word }) => word)).size).toBe(signs.length)
    expect(signs.every(({ icon }) => icon !== '')).toBe(true)
  })

  it('say the name of what a later version brings', () => {
    expect(signOf(RECEIPT_SIGNS, 'dreamed')).toEqual({ word: 'dreamed', icon: '?', tone: 'quiet' })
    expect(signOf(RECEIPT_SIGNS, 'constructor').word).toBe('constructor')
  })
})

describe('an approval', () => {
  it('says what it is about', () => {
    expect(subjectOf(APPROVAL)).toBe('write_file waits for your approval')
    const preview = { kind: 'diff', path: 'notes.md', diff: '' } as const
    expect(subjectOf({ ...APPROVAL, preview })).toBe('write_file would change notes.md')
  })

  it('counts down', () => {
    expect(remainingText('2025-01-01T00:10:05.000Z', NOW)).toBe('expires in 10 min')
    expect(remainingText('2025-01-01T00:00:09.500Z', NOW)).toBe('expires in 5 s')
    expect(remainingText('2025-01-01T00:00:05.000Z', NOW)).toBe('its time is over')
  })
})

describe('announcements', () => {
  const open = { kind: 'open' } as const

  it('tell of phases, ends and approvals, not of text', () => {
    const turn = sampleTurn('u1')
    const running = viewOf([turn.start(), turn.stepStart(1)])
    expect(announcementOf({ turn: running, approvals: [], connection: open })).toBe('Turn 1: thinking.')
    expect(announcementOf({ turn: running, approvals: [APPROVAL], connection: open })).toBe(
      'write_file waits for your approval.',
    )
    expect(announcementOf({ turn: viewOf(standardEvents()), approvals: [], connection: open })).toBe(
      'Turn 1: completed.',
    )
  })
})

describe('budgets', () => {
  const turn = sampleTurn('u1')

  it('are what was spent, against limits where they are known', () => {
    const view = viewOf([turn.start(), turn.stepStart(1), turn.says(1, 'Hi.')])
    const rows = budgetsOf(view, {
      limits: { maxSteps: 15, maxCostMicroUsd: 1_000_000 },
      cost: 1_234,
      now: NOW,
    })
    expect(rows.map(({ name, text }) => `${name}: ${text}`)).toEqual([
      'Steps: 1 of 15',
      'Time: 5.0 s',
      'Tokens: 15',
      'Cost: $0.001234 of $1.00',
    ])
  })

  it('do not count the time in which a human is waited for', () => {
    const view = viewOf([turn.start(), turn.stepStart(1), turn.drafts(1), turn.holds(1)])
    expect(budgetsOf(view, { now: NOW + 3_600_000 })[1]?.text).toBe(budgetsOf(view, { now: NOW })[1]?.text)
  })

  it('leave out a cost that nobody knows', () => {
    expect(budgetsOf(viewOf(standardEvents()), { now: NOW }).map(({ name }) => name)).toEqual([
      'Steps',
      'Time',
      'Tokens',
    ])
  })
})

describe('the chart of tokens', () => {
  it('has a bar for each Step, as high as its share of the largest', () => {
    const { bars, top } = usageChartOf(viewOf(standardEvents()).steps, new Map([[1, 40]]))
    expect(top).toBe(15)
    expect(
      bars.map(({ step, inputTokens, outputTokens, cost }) => [step, inputTokens, outputTokens, cost]),
    ).toEqual([
      [1, 10, 5, 40],
      [2, 10, 5, undefined],
      [3, 10, 5, undefined],
    ])
    expect(bars[0]).toMatchObject({ input: { y: 21.33, height: 42.67 }, output: { y: 0, height: 21.33 } })
  })
})

describe('shortcuts', () => {
  it('mean one thing each', () => {
    const keys = SHORTCUTS.flatMap((shortcut) => shortcut.keys)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('leave letters to whoever writes, and what is modified to the browser', () => {
    const pressed = { key: 'a', isModified: false, isWriting: false }
    expect(actionFor(pressed)).toBe('approval')
    expect(actionFor({ ...pressed, isWriting: true })).toBeUndefined()
    expect(actionFor({ ...pressed, isModified: true })).toBeUndefined()
    expect(actionFor({ key: 'Escape', isModified: false, isWriting: true })).toBe('leave')
  })
})
