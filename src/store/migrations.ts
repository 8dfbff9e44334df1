/**
 * How the tables came about. A released migration is never edited: a change is a new entry with a later name.
 */
import { type Kysely, type Migration, sql } from 'kysely'

/** Migrations of one schema, by name, and the table that remembers which of them ran. */
export interface MigrationSet {
  readonly table: string
  readonly migrations: Readonly<Record<string, Migration>>
}

const createLog: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('sessions')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('turns', 'integer', (column) => column.notNull())
      .addColumn('open_turn', 'text')
      .addColumn('agent', 'text')
      .addColumn('metadata', 'text')
      .addColumn('changed_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('sessions_pk', ['tenant', 'session'])
      .execute()
    await db.schema
      .createIndex('sessions_by_change')
      .on('sessions')
      .columns(['tenant', 'changed_at'])
      .execute()
    await db.schema
      .createIndex('sessions_with_open_turn')
      .on('sessions')
      .columns(['tenant', 'session'])
      .where(sql.ref('open_turn'), 'is not', null)
      .execute()

    await db.schema
      .createTable('events')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('turn_id', 'text')
      .addColumn('turn', 'integer')
      .addColumn('step', 'integer')
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('v', 'integer', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('events_pk', ['tenant', 'session', 'seq'])
      .addUniqueConstraint('events_key', ['tenant', 'session', 'key'])
      .execute()
    await db.schema
      .createIndex('events_by_turn')
      .on('events')
      .columns(['tenant', 'session', 'turn_id', 'seq'])
      .execute()

    await db.schema
      .createTable('attempts')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('unit', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('provider', 'integer', (column) => column.notNull())
      .addColumn('tool', 'integer', (column) => column.notNull())
      .addColumn('lost', 'integer', (column) => column.notNull())
      .addColumn('ended', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('attempts_pk', ['tenant', 'session', 'unit'])
      .execute()

    await db.schema
      .createTable('contents')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('contents_pk', ['tenant', 'digest'])
      .execute()
  },
}

const createSecrets: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('secrets')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('secret', 'text', (column) => column.notNull())
      .execute()
  },
}

const addSessionMemory: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('sessions').addColumn('memory', 'text').execute()
  },
}

const createSpills: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('spills')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addColumn('lines', 'integer', (column) => column.notNull())
      .addColumn('kept_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('spills_pk', ['tenant', 'session', 'digest'])
      .execute()
    await db.schema.createIndex('spills_by_age').on('spills').column('kept_at').execute()

    await db.schema
      .createTable('spill_texts')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('blob', 'text', (column) => column.notNull())
      .addColumn('kept_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('spill_texts_pk', ['tenant', 'digest'])
      .execute()
    await db.schema.createIndex('spill_texts_by_age').on('spill_texts').column('kept_at').execute()

    await db.schema
      .createTable('spill_drafts')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('blob', 'text', (column) => column.notNull())
      .addColumn('started_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('spill_drafts_pk', ['tenant', 'blob'])
      .execute()

    await db.schema
      .createTable('spill_chunks')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('blob', 'text', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('from_line', 'integer', (column) => column.notNull())
      .addColumn('from_column', 'integer', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('spill_chunks_pk', ['tenant', 'blob', 'position'])
      .execute()
    await db.schema
      .createIndex('spill_chunks_by_place')
      .on('spill_chunks')
      .columns(['tenant', 'blob', 'from_line', 'from_column'])
      .execute()
  },
}

const createApiKeys: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('secret_digest', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text')
      .addColumn('revoked_at', 'text')
      .execute()
  },
}

const createLive: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('live')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('turn_id', 'text', (column) => column.notNull())
      .addColumn('step', 'integer', (column) => column.notNull())
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('delta', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('live_pk', ['tenant', 'session', 'turn_id', 'step', 'attempt', 'position'])
      .execute()
  },
}

/** Of {@link Schema}. */
export const LOG_MIGRATIONS: MigrationSet = {
  table: 'turnstep_migrations',
  migrations: {
    '0001-create-log': createLog,
    '0002-create-spills': createSpills,
    '0003-create-secrets': createSecrets,
    '0004-add-session-memory': addSessionMemory,
    '0005-create-api-keys': createApiKeys,
  },
}

/** Of {@link LiveSchema}. */
export const LIVE_MIGRATIONS: MigrationSet = {
  table: 'turnstep_live_migrations',
  migrations: { '0001-create-live': createLive },
}
