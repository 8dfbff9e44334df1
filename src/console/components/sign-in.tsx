import { useState } from 'react'
import type { ApiProblem } from '../api/problem.ts'
import { inertText } from '../view/inert-text.ts'

/** Asks who is there, where the gateway wants a key; else says how the console is opened. */
export function SignIn({
  problem,
  onKey,
}: {
  readonly problem: ApiProblem
  readonly onKey: (key: string) => void
}) {
  const [key, setKey] = useState('')
  return (
    <form
      className="sign-in"
      aria-label="Sign in"
      onSubmit={(event) => {
        event.preventDefault()
        if (key.trim() !== '') onKey(key.trim())
      }}
    >
      <p role="alert">{inertText(problem.message)}</p>
      {problem.isKeyWanted ? (
        <>
          <label>
            API key or token
            <input
              type="password"
              value={key}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setKey(event.target.value)}
            />
          </label>
          <p className="quiet small">It is kept in this tab until it is closed.</p>
          <button type="submit" className="primary" disabled={key.trim() === ''}>
            Sign in
          </button>
        </>
      ) : null}
    </form>
  )
}
