/**
 * Where a command's words go: what the agent says to standard output, what turnstep says to standard error.
 */
export interface Outlet {
  /** A piece of what the agent says, already safe for a terminal. */
  say(text: string): void
  /** Ends the line that the agent is in, if it is in one. */
  endLine(): void
  /** A line of ours, dimmed where there are colours. */
  note(line: string): void
}

interface Streams {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}

/**
 * Writes straight to the process's streams. A note in the middle of a line of the agent's begins a new one, which
 * breaks the agent's line only where both are on a terminal: what goes to a file or a pipe stays as it was said.
 */
export function streamOutlet({ stdout, stderr }: Streams = process): Outlet {
  let isMidLine = false
  const endLine = (): void => {
    if (isMidLine) stdout.write('\n')
    isMidLine = false
  }
  return {
    say(text) {
      if (text === '') return
      stdout.write(text)
      isMidLine = !text.endsWith('\n')
    },
    endLine,
    note(line) {
      if (stdout.isTTY && stderr.isTTY) endLine()
      stderr.write(`${isMidLine ? '\n' : ''}${dimmed(line, stderr)}\n`)
    },
  }
}

/** The line in a paler colour, where the stream is a terminal with colours and NO_COLOR is not set. */
export function dimmed(line: string, stream: NodeJS.WriteStream): string {
  return stream.isTTY && stream.hasColors() ? `\u001B[2m${line}\u001B[22m` : line
}
