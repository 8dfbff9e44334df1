#!/usr/bin/env node
/**
 * The command line of turnstep. Each command is loaded when it is called, because the worker is large.
 */
import { Command, CommanderError, Option } from 'commander'
import { exitCodeOfError } from './exit-code.ts'
import { explainFailure } from './explain-failure.ts'

interface GlobalOptions {
  readonly session: string
  readonly json?: true
}

const program = new Command('turnstep')
  .description('A durable agent runtime on Temporal.')
  .addOption(new Option('--session <id>', 'the conversation').default('main'))
  .option('--json', 'machine-readable output, one JSON document a line')
  .exitOverride()
  .configureHelp({ showGlobalOptions: true })

/** Runs a command and keeps its exit code. */
function action<A extends unknown[]>(body: (options: GlobalOptions, ...args: A) => Promise<number>) {
  return async (...args: [...A, object, Command]): Promise<void> => {
    const command = args.at(-1) as Command
    process.exitCode = await body(command.optsWithGlobals<GlobalOptions>(), ...(args.slice(0, -2) as A))
  }
}

program
  .command('run')
  .description('run one turn: bring up what is missing, print the answer, take it down again')
  .argument('<text...>', 'what to ask')
  .option('--agent <name>', 'the agent of a new session')
  .action(
    action(async (options, words: string[]) => {
      const { run } = await import('./commands/run.ts')
      return run(words.join(' '), options)
    }),
  )

process.stdout.on('error', leaveIfUnread)
process.stderr.on('error', leaveIfUnread)
try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else {
    process.stderr.write(`${explainFailure(error)}\n`)
    process.exitCode = exitCodeOfError(error)
  }
}
// Nothing that was closed may keep the process alive.
process.exit()

/** Whoever read the output has gone, `head` say: nothing is left to do. */
function leaveIfUnread(error: NodeJS.ErrnoException): void {
  process.exit(error.code === 'EPIPE' ? 141 : 1)
}
