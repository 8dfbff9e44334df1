/**
 * Commands and options. A command's code is loaded when it is called, because the worker is large.
 */
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import type { DecisionKind } from '../core/event.ts'
import { DEFAULT_TENANT } from '../core/ids.ts'
import type { TalkOptions } from './chat/talk.ts'
import type { AbortCommandOptions } from './commands/abort.ts'
import type { DecideOptions } from './commands/decide.ts'
import type { EventsOptions } from './commands/events.ts'
import type { CreateKeyOptions, KeysOptions } from './commands/keys.ts'
import type { SendOptions } from './commands/send.ts'
import type { SteerOptions } from './commands/steer.ts'
import type { CommonOptions } from './options.ts'
import { packageVersion } from './package-version.ts'

const EXIT_CODES = `
Exit codes: 0 completed, 1 failed, 2 usage or configuration, 3 handed back, 130 aborted.
Data is kept in the folder TURNSTEP_DATA, .turnstep unless set.`

type Run = (code: Promise<number>) => Promise<void>

/** Runs what the arguments say and returns the exit code. Fails with commander's error for what it cannot read. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let code = 0
  const program = new Command('turnstep')
    .description('A durable agent runtime: turns of an agent as Temporal workflows.')
    .version(packageVersion(), '--version', 'prints the version')
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError('turnstep --help shows the commands.')
    .exitOverride()
  const run: Run = async (ended) => {
    code = await ended
  }
  addConversations(program, run)
  addInputs(program, run)
  addDecisions(program, run)
  addReaders(program, run)
  addOperations(program, run)
  addKeys(program, run)
  refuseUnknownCommand(program, args[0])
  await program.parseAsync([...args], { from: 'user' })
  return code
}

/** The default command would take a mistyped one for an argument. */
function refuseUnknownCommand(program: Command, word: string | undefined): void {
  if (word === undefined || word.startsWith('-') || word === 'help') return
  if (program.commands.some((command) => command.name() === word)) return
  program.error(`error: unknown command '${word}'`, { code: 'commander.unknownCommand' })
}

function addConversations(program: Command, run: Run): void {
  common(program.command('start', { isDefault: true }))
    .description(
      'everything on one machine, and a chat (the default); without a terminal each line of input is a message',
    )
    .addOption(agentOption())
    .action(async (options: TalkOptions) => run((await import('./commands/start.ts')).start(options)))
  common(program.command('run'))
    .description('one turn: prints the answer, exits with the code of its end')
    .argument('<text...>', 'the message; - reads it from standard input')
    .addOption(agentOption())
    .action(async (words: string[], options: TalkOptions) =>
      run((await import('./commands/run.ts')).run(words, options)),
    )
  common(program.command('chat'))
    .description('a chat with what runs, or with what is brought up for it')
    .addOption(agentOption())
    .action(async (options: TalkOptions) => run((await import('./commands/chat.ts')).chat(options)))
}

function addInputs(program: Command, run: Run): void {
  common(program.command('send'))
    .description('a message for a turn of its own, to what runs; prints its id')
    .argument('<text...>', 'the message; - reads it from standard input')
    .addOption(idOption())
    .action(async (words: string[], options: SendOptions) =>
      run((await import('./commands/send.ts')).send(words, options)),
    )
  common(program.command('steer'))
    .description('a message into the running turn; prints its id')
    .argument('<text...>', 'the message; - reads it from standard input')
    .addOption(idOption())
    .option('--turn <id>', 'only for this turn; otherwise it waits for a turn of its own')
    .action(async (words: string[], options: SteerOptions) =>
      run((await import('./commands/steer.ts')).steer(words, options)),
    )
  common(program.command('abort'))
    .description('stop the running turn, and wait for its end')
    .option('--turn <id>', 'only this turn')
    .addOption(
      new Option('--queue <fate>', 'what becomes of messages that wait')
        .choices(['withdraw', 'run'] as const)
        .default('withdraw' as const),
    )
    .addOption(
      new Option('--mode <when>', 'at once, or after the step that runs')
        .choices(['now', 'after-step'] as const)
        .default('now' as const),
    )
    .action(async (options: AbortCommandOptions) => run((await import('./commands/abort.ts')).abort(options)))
}

function addDecisions(program: Command, run: Run): void {
  common(program.command('decide'))
    .description('decide on a call, or an answer, that waits for approval; without arguments, list what does')
    .argument('[call]', 'its id')
    .addArgument(new Argument('[decision]', 'how').choices(['approve', 'edit', 'deny', 'replan'] as const))
    .option('--note <text>', 'for the model')
    .option('--by <name>', 'who decides')
    .addOption(
      new Option('--scope <scope>', 'approve for this call or the session').choices(['once', 'session']),
    )
    .addOption(new Option('--then <next>', 'go on, or plan anew').choices(['continue', 'replan']))
    .option('--arguments <json>', 'what is to run instead, for edit of a call')
    .option('--text <text>', 'what is to be said instead, for edit of an answer')
    .option('--digest <sha256>', 'of the arguments that were seen')
    .action(async (call: string | undefined, decision: DecisionKind | undefined, options: DecideOptions) =>
      run((await import('./commands/decide.ts')).decide(call, decision, options)),
    )
}

function addReaders(program: Command, run: Run): void {
  common(program.command('events'))
    .description('the log of a session')
    .option('--follow', 'stay for what comes')
    .option('--live', 'also the text that is being written')
    .addOption(new Option('--after <seq>', 'only events after this one').argParser(readCount).default(0))
    .action(async (options: EventsOptions) => run((await import('./commands/events.ts')).events(options)))
  common(program.command('status'))
    .description('where a session stands, and what runs')
    .action(async (options: CommonOptions) => run((await import('./commands/status.ts')).status(options)))
}

function addOperations(program: Command, run: Run): void {
  withJson(program.command('worker'))
    .description('run a worker until SIGTERM or SIGINT')
    .action(async (options: CommonOptions) => run((await import('./commands/worker.ts')).worker(options)))
  withJson(program.command('serve'))
    .description('answer HTTP for what runs, until SIGTERM or SIGINT')
    .action(async (options: CommonOptions) => run((await import('./commands/serve.ts')).serve(options)))
  withJson(program.command('doctor'))
    .description('check this machine and this folder')
    .action(async (options: CommonOptions) => run((await import('./commands/doctor.ts')).doctor(options)))
}

function addKeys(program: Command, run: Run): void {
  const keys = program
    .command('keys')
    .description('keys of the gateway (TURNSTEP_AUTH=keys): create, list, revoke')
  withJson(keys.command('create'))
    .description('make a key and print it, once')
    .requiredOption('--name <name>', 'whose it is; recorded with what they decide')
    .option('--tenant <tenant>', 'whose sessions it opens', DEFAULT_TENANT)
    .option('--scopes <list>', 'of send,steer,abort,approve,read; all unless given')
    .addOption(new Option('--days <days>', 'until it expires; never unless given').argParser(readCount))
    .action(async (options: CreateKeyOptions) => run((await import('./commands/keys.ts')).createKey(options)))
  withJson(keys.command('list'))
    .description('the keys, without their secrets')
    .action(async (options: KeysOptions) => run((await import('./commands/keys.ts')).listKeys(options)))
  withJson(keys.command('revoke'))
    .description('from now on it opens nothing')
    .argument('<id>', 'of the key')
    .action(async (id: string, options: KeysOptions) =>
      run((await import('./commands/keys.ts')).revokeKey(id, options)),
    )
}

/** The options of every command on a Session. */
function common(command: Command) {
  return withJson(command.addOption(new Option('--session <id>', 'the conversation').default('main')))
}

function withJson(command: Command) {
  return command.option('--json', 'machine-readable: JSON documents, one a line')
}

function agentOption(): Option {
  return new Option('--agent <name>', 'the agent of a new session')
}

function idOption(): Option {
  return new Option('--id <id>', 'of the message; sending the same id again changes nothing')
}

function readCount(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It must be a whole number.')
}
