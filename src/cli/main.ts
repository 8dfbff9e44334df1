#!/usr/bin/env node
/**
 * The command line of turnstep.
 */
import { CommanderError } from 'commander'
import { EXIT, exitCodeOfError } from './exit-code.ts'
import { explainFailure } from './explain-failure.ts'
import { runProgram } from './program.ts'

for (const stream of [process.stdout, process.stderr]) {
  // Whoever read the output has gone, `head` say: nothing is left to do.
  stream.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? EXIT.unread : EXIT.failed),
  )
}

try {
  process.exitCode = await runProgram(process.argv.slice(2))
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.completed : EXIT.usage
  else {
    process.stderr.write(`${await explainFailure(error)}\n`)
    process.exitCode = exitCodeOfError(error)
  }
}
// What was closed may still have timers; nothing is left to wait for.
process.exit()
