import * as vitest from 'vitest'
import { describeSessionStore } from '../../src/testing/session-store-suite.ts'
import { createSqlitePlace } from './support/sqlite-place.ts'

describeSessionStore('SQLite store', createSqlitePlace, vitest)
