import { useEffect, useRef } from 'react'
import { SHORTCUTS } from '../view/shortcuts.ts'

export interface HelpDialogProps {
  readonly areShortcutsOn: boolean
  readonly onSwitch: (areOn: boolean) => void
  readonly onClose: () => void
}

const KEY_SIGNS: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑' }

/** What the keyboard does. */
export function HelpDialog({ areShortcutsOn, onSwitch, onClose }: HelpDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="help" aria-labelledby="help-title" onClose={onClose}>
      <header>
        <h2 id="help-title">Keyboard</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <table>
        <tbody>
          {SHORTCUTS.map(({ keys, action, does }) => (
            <tr key={action}>
              <th scope="row">
                {keys.map((key) => (
                  <kbd key={key}>{KEY_SIGNS[key] ?? key}</kbd>
                ))}
              </th>
              <td>{does}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">
              <kbd>Enter</kbd>
            </th>
            <td>In a message: send it, or steer while a Turn runs; with Ctrl or Cmd the other of the two</td>
          </tr>
        </tbody>
      </table>
      <label className="switch">
        <input
          type="checkbox"
          checked={areShortcutsOn}
          onChange={(event) => onSwitch(event.target.checked)}
        />
        Shortcuts of one letter are on
      </label>
    </dialog>
  )
}
