/**
 * What all scenarios share: a Temporal server with the shipped settings, the provider, a folder that is gone after.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ModelProcess } from './model-process.ts'
import type { Server } from './servers.ts'
import { startServerWithoutPush, startShippedServer } from './servers.ts'
import { Stage } from './stage.ts'

export interface WorldOptions {
  /** Fewer Steps and trials. */
  readonly quick: boolean
  /** Gets CPU profiles of our workers. */
  readonly profileFolder?: string
  /** Gets lines for a person who waits. */
  readonly log: (line: string) => void
}

export class World {
  readonly options: WorldOptions
  readonly folder: string
  readonly server: Server
  readonly model: ModelProcess

  private constructor(options: WorldOptions, parts: Pick<World, 'folder' | 'server' | 'model'>) {
    this.options = options
    this.folder = parts.folder
    this.server = parts.server
    this.model = parts.model
  }

  static async open(options: WorldOptions): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'turnstep-bench-'))
    const server = await startShippedServer(folder, options.log)
    return new World(options, { folder, server, model: await ModelProcess.start() })
  }

  /** The first for `--quick`, the second otherwise. */
  pick<T>(quick: T, full: T): T {
    return this.options.quick ? quick : full
  }

  /** A task queue and a store of a scenario's own. */
  async stage<T>(name: string, play: (stage: Stage) => Promise<T>, server: Server = this.server): Promise<T> {
    const { folder, model, options } = this
    const stage = await Stage.open({ name, folder, server, model, profileFolder: options.profileFolder })
    try {
      return await play(stage)
    } finally {
      await stage.close()
    }
  }

  /** A server that runs as long as `play`. */
  async withoutPush<T>(play: (server: Server) => Promise<T>): Promise<T> {
    const folder = join(this.folder, 'without-push')
    await mkdir(folder, { recursive: true })
    const server = await startServerWithoutPush(folder)
    try {
      return await play(server)
    } finally {
      await server.stop()
    }
  }

  async close(): Promise<void> {
    try {
      await this.model.stop()
    } finally {
      await this.server.stop()
      await rm(this.folder, { recursive: true, force: true })
    }
  }
}
