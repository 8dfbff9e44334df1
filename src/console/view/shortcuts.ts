/**
 * What can be done with the keyboard alone.
 *
 * Letters count while no field is being written in; Escape and those with Ctrl or Cmd always.
 */
export type ActionName =
  | 'help'
  | 'write'
  | 'next'
  | 'previous'
  | 'toggle'
  | 'approval'
  | 'stop'
  | 'stop-after-step'
  | 'new-session'
  | 'sessions'
  | 'theme'
  | 'leave'

export interface Shortcut {
  readonly keys: readonly string[]
  readonly action: ActionName
  readonly does: string
}

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['?'], action: 'help', does: 'Show these shortcuts' },
  { keys: ['i', '/'], action: 'write', does: 'Write a message' },
  { keys: ['j', 'ArrowDown'], action: 'next', does: 'Next Turn, Step or call' },
  { keys: ['k', 'ArrowUp'], action: 'previous', does: 'Previous Turn, Step or call' },
  { keys: ['o'], action: 'toggle', does: 'Open or close what is focused' },
  { keys: ['a'], action: 'approval', does: 'Go to what waits for approval' },
  { keys: ['S'], action: 'stop', does: 'Stop the Turn now' },
  { keys: ['E'], action: 'stop-after-step', does: 'Stop after this Step' },
  { keys: ['n'], action: 'new-session', does: 'New session' },
  { keys: ['g'], action: 'sessions', does: 'Go to the list of sessions' },
  { keys: ['t'], action: 'theme', does: 'Switch between system, light and dark' },
  { keys: ['Escape'], action: 'leave', does: 'Leave the field, close what is open' },
]

export interface PressedKey {
  readonly key: string
  /** Ctrl, Cmd or Alt: then it is the browser's. */
  readonly isModified: boolean
  readonly isWriting: boolean
}

export function actionFor({ key, isModified, isWriting }: PressedKey): ActionName | undefined {
  if (isModified) return undefined
  const found = SHORTCUTS.find(({ keys }) => keys.includes(key))
  return isWriting && found?.action !== 'leave' ? undefined : found?.action
}
