import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client, Connection } from '@temporalio/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isRunning } from '../../src/cli/process-info.ts'
import { runCommand } from '../../src/cli/run-command.ts'
import { startTemporalServer, type TemporalServer } from '../../src/cli/temporal-server.ts'
import { environment } from '../../src/config.ts'
import { eventually } from '../support/eventually.ts'
import { livingMembers } from '../support/process-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const { cacheDir } = environment()

async function start(dataDir: string, log: (line: string) => void = () => {}): Promise<TemporalServer> {
  const server = await startTemporalServer({ namespace: 'default', dataDir, cacheDir, searchPath: '', log })
  onTestFinished(() => server.stop())
  return server
}

/** The process id of the folder's server. */
async function serverPid(dataDir: string): Promise<number> {
  return JSON.parse(await readFile(join(dataDir, 'temporal', 'server.json'), 'utf8')).pid
}

/** Another process that starts or joins the folder's server, and holds it until its standard input ends. */
async function startHolder(
  dataDir: string,
): Promise<{ readonly process: ChildProcess; readonly source: string }> {
  const fixture = new URL('hold-temporal-server.mjs', import.meta.url)
  const child = spawn(process.execPath, [fixture.pathname, dataDir, cacheDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [source] = await once(createInterface(child.stdout), 'line')
  return { process: child, source }
}

function untilEnded(pid: number): Promise<void> {
  return vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000 })
}

describe('startTemporalServer', () => {
  it('starts nothing when an address is configured', async () => {
    const lines: string[] = []
    const server = await startTemporalServer({
      address: 'temporal.example:7233',
      namespace: 'default',
      dataDir: '/nowhere',
      cacheDir: '/nowhere',
      searchPath: '',
      log: (line) => lines.push(line),
    })
    await server.stop()
    expect(server).toMatchObject({ address: 'temporal.example:7233', source: 'address' })
    expect(lines).toEqual(['Temporal: temporal.example:7233 (TEMPORAL_ADDRESS)'])
  })

  it('starts a server that answers, says where it came from, and ends it', async () => {
    const dataDir = await temporaryFolder()
    const lines: string[] = []
    const server = await start(dataDir, (line) => lines.push(line))
    const pid = await serverPid(dataDir)
    expect(isRunning(pid)).toBe(true)
    await server.stop()
    expect(isRunning(pid)).toBe(false)
    expect(lines).toEqual([
      `Temporal: ${server.address} (started from the cached ${join(cacheDir, 'temporal-1.9.1', 'temporal')})`,
    ])
  })

  it('keeps open workflows over a restart', async () => {
    const dataDir = await temporaryFolder()
    const first = await start(dataDir)
    await withClient(first.address, (client) =>
      client.workflow.start('turnWorkflow', { workflowId: 'w', taskQueue: 'nobody' }),
    )
    await first.stop()
    const second = await start(dataDir)
    const status = await withClient(second.address, (client) => client.workflow.getHandle('w').describe())
    expect(status.status.name).toBe('RUNNING')
  })

  it('shares the server of a folder between processes, until the last one lets go', async () => {
    const dataDir = await temporaryFolder()
    const holder = await startHolder(dataDir)
    const pid = await serverPid(dataDir)
    const lines: string[] = []
    const joined = await start(dataDir, (line) => lines.push(line))
    expect(joined.source).toBe('running')
    expect(lines).toEqual([`Temporal: ${joined.address} (runs for ${dataDir} already, process ${pid})`])

    holder.process.stdin?.end()
    await once(holder.process, 'exit')
    expect(isRunning(pid)).toBe(true)
    await joined.stop()
    expect(isRunning(pid)).toBe(false)
  })

  it('starts one server for two processes that start at once', async () => {
    const dataDir = await temporaryFolder()
    const [one, other] = await Promise.all([startHolder(dataDir), startHolder(dataDir)])
    expect([one.source, other.source].sort()).toEqual(['cache', 'running'])
  })

  it('leaves nothing running when its process is killed', async () => {
    const dataDir = await temporaryFolder()
    const holder = await startHolder(dataDir)
    const pid = await serverPid(dataDir)
    holder.process.kill('SIGKILL')
    await untilEnded(pid)
  })

  it('ends a server that lost its keeper, and starts anew on the same database', async () => {
    const dataDir = await temporaryFolder()
    const holder = await startHolder(dataDir)
    const pid = await serverPid(dataDir)
    await killKeeper(pid)
    holder.process.kill('SIGKILL')
    await once(holder.process, 'exit')
    expect(isRunning(pid)).toBe(true)

    const server = await start(dataDir)
    expect(server.source).toBe('cache')
    expect(isRunning(pid)).toBe(false)
  })

  it('leaves a stranger alone that got the process id of an old server', async () => {
    const dataDir = await temporaryFolder()
    const first = await start(dataDir)
    await first.stop()
    const stranger = spawn('sleep', ['60'])
    onTestFinished(() => void stranger.kill())
    const record = JSON.stringify({ pid: stranger.pid, address: '127.0.0.1:1' })
    await writeFile(join(dataDir, 'temporal', 'server.json'), record)
    expect((await start(dataDir)).source).toBe('cache')
    expect(isRunning(stranger.pid ?? 0)).toBe(true)
  })

  it('says what the server said when it ends at once', async () => {
    const dataDir = await temporaryFolder()
    const binary = join(dataDir, 'bin', 'temporal')
    await mkdir(join(dataDir, 'bin'))
    await writeFile(
      binary,
      '#!/bin/sh\necho "temporal version 0"; [ $1 = --version ] || { echo "disk I/O error"; exit 1; }\n',
      { mode: 0o755 },
    )
    const failing = startTemporalServer({
      namespace: 'default',
      dataDir,
      cacheDir,
      searchPath: join(dataDir, 'bin'),
      log: () => {},
    })
    await expect(failing).rejects.toMatchObject({
      code: 'temporal-unavailable',
      message: `The Temporal server ended at once: disk I/O error (all of it: ${join(dataDir, 'temporal', 'server.log')})`,
    })
  })
})

async function withClient<T>(address: string, body: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address })
  try {
    return await body(new Client({ connection }))
  } finally {
    await connection.close()
  }
}

/** Kills the shell beside the server, with all that it runs but the server. */
async function killKeeper(serverPid: number): Promise<void> {
  const { output } = await runCommand('ps', ['-axo', 'pid=,pgid='])
  const rows = output
    .trimEnd()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
  const group = rows.find(([pid]) => pid === serverPid)?.[1]
  for (const [pid, pgid] of rows) {
    if (pid !== undefined && pid !== serverPid && pgid === group) process.kill(pid, 'SIGKILL')
  }
  // A process that is killed may hold its end of the pipe a little longer.
  await eventually(async () => livingMembers(group ?? 0).length === 1)
}
