import { useState } from 'react'
import type { AgentDescription } from '../api/answers.ts'

/** Begins a Session, with one of the agents that are known. */
export function NewSession({
  agents,
  onCreate,
}: {
  readonly agents: readonly AgentDescription[]
  readonly onCreate: (agent: string | undefined) => void
}) {
  const [agent, setAgent] = useState<string>()
  return (
    <div className="new-session">
      {agents.length < 2 ? null : (
        <label>
          <span className="unseen">Agent</span>
          <select value={agent ?? agents[0]?.name} onChange={(event) => setAgent(event.target.value)}>
            {agents.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="button" className="primary" onClick={() => onCreate(agent)}>
        New session
      </button>
    </div>
  )
}
