import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ProcessError, type ProcessOptions, runProcess } from '../../../src/tools/index.ts'
import { eventually } from '../../support/eventually.ts'
import { livingMembers, writtenPids } from '../../support/process-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const QUICK = { graceMs: 200 } as const
const IGNORES_TERM = 'trap "" TERM; echo $$ > pid; while :; do sleep 0.05; done'

function shell(script: string, options: ProcessOptions = {}, ...args: readonly string[]) {
  return runProcess('sh', ['-c', script, 'sh', ...args], options)
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Starts a script in a folder of its own, and waits until it has written `pid`. */
async function started(script: string, options: ProcessOptions = {}, pids = 1) {
  const cwd = await temporaryFolder()
  const controller = new AbortController()
  const running = shell(script, { ...QUICK, cwd, signal: controller.signal, ...options })
  running.catch(() => undefined)
  const [leader = 0] = await writtenPids(join(cwd, 'pid'), pids)
  return { cwd, running, leader, abort: (reason: unknown) => controller.abort(reason) }
}

describe('runProcess', () => {
  it('tells how a program ended, and its two outputs apart and as they came', async () => {
    const result = await shell('printf one; sleep 0.1; printf two >&2; sleep 0.1; printf three; exit 3')
    expect(result).toEqual({
      exit: { kind: 'exited', code: 3 },
      durationMs: expect.any(Number),
      output: 'onetwothree',
      stdout: 'onethree',
      stderr: 'two',
    })
  })

  it('tells the signal that ended a program', async () => {
    expect(await shell('kill -KILL $$')).toMatchObject({ exit: { kind: 'killed', signal: 'SIGKILL' } })
  })

  it('hands on arguments as they are, without a shell', async () => {
    const args = ['$HOME', '`id`', '; exit 9', '*', 'a b', '']
    const { stdout } = await shell('for each; do printf "[%s]" "$each"; done', {}, ...args)
    expect(stdout).toBe('[$HOME][`id`][; exit 9][*][a b][]')
  })

  it('hands on nothing of its own environment', async () => {
    const { stdout } = await runProcess('env', [], { env: { WANTED: 'yes', LANG: undefined } })
    expect(stdout.trim().split('\n').sort()).toEqual([
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'WANTED=yes',
    ])
  })

  it('writes the input, and an empty one when there is none', async () => {
    expect(await runProcess('cat', [], { input: 'grüße\n' })).toMatchObject({ stdout: 'grüße\n' })
    expect(await runProcess('cat')).toMatchObject({ exit: { kind: 'exited', code: 0 }, stdout: '' })
  })

  it('takes a program that does not read its input for what it returns', async () => {
    const input = 'x'.repeat(10_000_000)
    expect(await runProcess('true', [], { input })).toMatchObject({ exit: { kind: 'exited', code: 0 } })
  })

  it('leads a group of its own without a terminal', async () => {
    const { stdout } = await shell('echo $$; ps -o pgid= -p $$; ps -o tty= -p $$')
    const [pid, group, terminal] = stdout.split('\n').map((line) => line.trim())
    expect(group).toBe(pid)
    expect(terminal).toMatch(/^\?+$/)
  })
})

describe('a program that cannot be started', () => {
  it.each([
    ['no-such-program', undefined, 'The program "no-such-program" was not found.'],
    [
      '/',
      undefined,
      'The program "/" may not be run: it is not executable, or its folder may not be entered.',
    ],
    [
      '',
      undefined,
      'The program "" cannot be started: neither a command nor its arguments may be empty or hold NUL.',
    ],
    ['true', '/no/such/folder', 'The folder "/no/such/folder" to run "true" in is not there.'],
  ])('is a clear error for %j in %j', async (command, cwd, message) => {
    const failure = await runProcess(command, ['--key=secret'], cwd === undefined ? {} : { cwd }).catch(
      (e) => e,
    )
    expect(failure).toBeInstanceOf(ProcessError)
    expect(failure.message).toBe(message)
  })

  it('does not show its arguments', async () => {
    const failure = await runProcess('true', ['--key=secret\0']).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ProcessError)
    expect(String(failure)).not.toContain('secret')
  })
})

describe('the output of a process', () => {
  it('B54: keeps beginning, end and exit status of a flood, in one long line too', async () => {
    const result = await shell('printf begin; head -c 30000000 /dev/zero | tr "\\0" x; printf end; exit 1', {
      maxBytes: 100,
    })
    const kept = `begin${'x'.repeat(45)}\n[… 29999908 bytes left out …]\n${'x'.repeat(47)}end`
    expect(result).toMatchObject({
      exit: { kind: 'exited', code: 1 },
      output: kept,
      stdout: kept,
      stderr: '',
    })
  })

  it('is cut between characters', async () => {
    const { stdout } = await shell('printf "%s" "$1"', { maxBytes: 16 }, '😀'.repeat(3) + 'äöü'.repeat(3))
    expect(stdout).toBe('😀😀\n[… 14 bytes left out …]\nüäöü')
  })

  it('keeps characters whole that come in two pieces, whatever comes between', async () => {
    const { output } = await shell('printf "\\303"; sleep 0.1; printf - >&2; sleep 0.1; printf "\\244\\377"')
    expect(output).toBe('-ä\uFFFD')
  })
})

describe('the end of a process', () => {
  it('comes with the time limit, and is told with what was printed', async () => {
    const { running, leader } = await started('echo $$ > pid; echo begun; sleep 60; echo over', {
      timeoutMs: 1_000,
    })
    expect(await running).toMatchObject({
      exit: { kind: 'killed', signal: 'SIGTERM' },
      stoppedBy: 'time-limit',
      stdout: 'begun\n',
    })
    expect(livingMembers(leader)).toEqual([])
  })

  it('gives a program time to end by itself after SIGTERM', async () => {
    const { running } = await started('trap "echo tidied; exit 7" TERM; echo $$ > pid; sleep 60 & wait', {
      timeoutMs: 1_000,
      graceMs: 10_000,
    })
    expect(await running).toMatchObject({ exit: { kind: 'exited', code: 7 }, stdout: 'tidied\n' })
  })

  it('is forced on a program that ignores SIGTERM', async () => {
    const { running, leader, abort } = await started(IGNORES_TERM)
    const reason = new Error('stopped')
    abort(reason)
    await expect(running).rejects.toBe(reason)
    expect(livingMembers(leader)).toEqual([])
  })

  it('is forced on a program that is stopped', async () => {
    const { running, leader, abort } = await started('echo $$ > pid; kill -STOP $$')
    abort(new Error('stopped'))
    await expect(running).rejects.toThrow('stopped')
    expect(livingMembers(leader)).toEqual([])
  })

  it('comes for children that ignore SIGTERM when only their parent honours it', async () => {
    const script = `sh -c '${IGNORES_TERM.replace('> pid', '>> pid')}' & echo $$ >> pid; wait`
    const { running, abort, cwd } = await started(script, {}, 2)
    const pids = await writtenPids(join(cwd, 'pid'), 2)
    abort(new Error('stopped'))
    await expect(running).rejects.toThrow('stopped')
    expect(pids.flatMap(livingMembers)).toEqual([])
  })

  it('is the end of grandchildren that outlive their parent and hold its output', async () => {
    const { running, leader } = await started('sleep 60 & echo $$ > pid; echo left; exit 4')
    expect(await running).toMatchObject({ exit: { kind: 'exited', code: 4 }, stdout: 'left\n' })
    expect(livingMembers(leader)).toEqual([])
  })

  it('is the end of grandchildren that hold nothing and ignore SIGTERM', async () => {
    const { running, leader } = await started(
      '(trap "" TERM; while :; do sleep 0.05; done) > /dev/null 2>&1 & echo $$ > pid',
    )
    expect(await running).toMatchObject({ exit: { kind: 'exited', code: 0 } })
    expect(livingMembers(leader)).toEqual([])
  })

  it('waits for what is printed right after the program has ended', async () => {
    const { running } = await started('(sleep 0.2; echo late) & echo $$ > pid')
    expect(await running).toMatchObject({ stdout: 'late\n' })
  })

  it('does not wait for a daemon that left the group and holds the output', async () => {
    const leave = `const { pid } = require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'inherit' })
      console.log(pid)
      process.exit()`
    const { exit, stdout } = await runProcess(process.execPath, ['-e', leave])
    process.kill(Number(stdout), 'SIGKILL')
    expect(exit).toEqual({ kind: 'exited', code: 0 })
  })

  it('comes in time for a program that closes its output and sleeps', async () => {
    const { running, leader } = await started('echo $$ > pid; exec >&- 2>&-; sleep 60', { timeoutMs: 1_000 })
    expect(await running).toMatchObject({ stoppedBy: 'time-limit' })
    expect(livingMembers(leader)).toEqual([])
  })

  it('comes in time for a program that floods its output', async () => {
    const { running, leader } = await started('echo $$ > pid; exec yes', {
      timeoutMs: 1_000,
      maxBytes: 1_000,
    })
    expect(await running).toMatchObject({ stoppedBy: 'time-limit' })
    expect(livingMembers(leader)).toEqual([])
  })

  it('is not changed by an abort that comes after it', async () => {
    const { running, abort, leader } = await started('sleep 60 & echo $$ > pid; exit 4')
    await eventually(async () => !isThere(leader))
    abort(new Error('too late'))
    expect(await running).toMatchObject({ exit: { kind: 'exited', code: 4 } })
    expect(livingMembers(leader)).toEqual([])
  })
})

describe('an abort before the start', () => {
  it('starts nothing', async () => {
    const cwd = await temporaryFolder()
    const reason = new Error('stopped')
    await expect(shell('touch here', { cwd, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(existsSync(join(cwd, 'here'))).toBe(false)
  })

  it('and one right after it leave nothing behind', async () => {
    const controller = new AbortController()
    const running = shell('sleep 60', { ...QUICK, signal: controller.signal })
    controller.abort(new Error('stopped'))
    await expect(running).rejects.toThrow('stopped')
  })
})
