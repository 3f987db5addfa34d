import type { Collection } from '@muster/contract/api/collection'
import { packedKey } from './sqlite/sqlite-keys.ts'
import {
  type Column,
  type InternalColumnDefinition,
  idIndexOf,
  indexOf,
  scanIndexOf,
  substringTableOf,
  type Table,
  tableOf,
} from './tables.ts'

/**
 * Returns the statements that create the tables and indexes of a collection. Migrations contain these texts as they were when
 * the migration was written; a test compares the two.
 */
export function layoutOf(collection: Collection, dialect: 'sqlite' | 'postgres'): string[] {
  const table = tableOf(collection)
  return [
    createTable(table, dialect),
    `CREATE UNIQUE INDEX ${idIndexOf(table)} ON ${table.name} (org, id)`,
    createScanIndex(table, dialect),
    ...table.columns.flatMap((column) => createColumnIndex(table, column, dialect)),
    ...table.internal.filter((column) => column.indexed).map((column) => createIndex(table, column.name)),
    ...table.sides.map((side) => createSide(side.table, dialect)),
  ]
}

const typeName = (column: Column | InternalColumnDefinition, dialect: 'sqlite' | 'postgres'): string => {
  if (dialect === 'sqlite') return column.type === 'text' ? 'TEXT' : 'INTEGER'
  return column.type === 'text' ? 'text COLLATE "C"' : 'bigint'
}

function createTable(table: Table, dialect: 'sqlite' | 'postgres'): string {
  const text = dialect === 'sqlite' ? 'TEXT' : 'text COLLATE "C"'
  const lines = [
    ...keyOf[dialect],
    `id ${text} NOT NULL`,
    ...table.columns.map((column) => `${column.name} ${typeName(column, dialect)}`),
    ...table.internal.map((column) => `${column.name} ${typeName(column, dialect)}`),
    `record ${text} NOT NULL`,
    keyConditionOf[dialect],
  ]
  return `CREATE TABLE ${table.name} (\n  ${lines.join(',\n  ')}\n)${dialect === 'sqlite' ? ' STRICT' : ''}`
}

/** Key columns. SQLite also has them combined into one number, `place` (`sqlite/sqlite-keys.ts`). */
const keyOf = {
  sqlite: [
    'place INTEGER PRIMARY KEY',
    'org INTEGER NOT NULL',
    'unlisted INTEGER NOT NULL',
    'seq INTEGER NOT NULL',
  ],
  postgres: ['org bigint NOT NULL', 'unlisted bigint NOT NULL DEFAULT 0', 'seq bigint NOT NULL'],
}
const keyConditionOf = {
  sqlite: `CHECK (place = ${packedKey('org', 'seq', 'unlisted')})`,
  postgres: 'PRIMARY KEY (org, unlisted, seq)',
}

/** Creates the narrow index. It makes skipping rows cheap, and includes the times, so scans can test them without the table. */
function createScanIndex(table: Table, dialect: 'sqlite' | 'postgres'): string {
  const times = table.columns.filter((column) => column.search === 'range').map((column) => column.name)
  const name = scanIndexOf(table)
  if (dialect === 'sqlite')
    return `CREATE INDEX ${name} ON ${table.name} (${['org', 'unlisted', 'seq', ...times].join(', ')})`
  const include = times.length > 0 ? ` INCLUDE (${times.join(', ')})` : ''
  return `CREATE INDEX ${name} ON ${table.name} (org, unlisted, seq)${include}`
}

const createIndex = (table: Table, column: string): string =>
  `CREATE INDEX ${indexOf(table, column)} ON ${table.name} (org, ${column}, seq)`

function createColumnIndex(table: Table, column: Column, dialect: 'sqlite' | 'postgres'): string[] {
  if (column.search !== 'substring') {
    const index = createIndex(table, column.name)
    return [column.nullable ? `${index} WHERE ${column.name} IS NOT NULL` : index]
  }
  if (dialect === 'postgres') {
    return [
      `CREATE INDEX ${indexOf(table, column.name)} ON ${table.name} USING gin ((org + 0), ${column.name} gin_trgm_ops)`,
    ]
  }
  return [
    `CREATE VIRTUAL TABLE ${substringTableOf(table, column.name)} USING fts5(value, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')`,
  ]
}

const createSide = (name: string, dialect: 'sqlite' | 'postgres'): string =>
  dialect === 'sqlite'
    ? `CREATE TABLE ${name} (\n  org INTEGER NOT NULL,\n  value TEXT NOT NULL,\n  seq INTEGER NOT NULL,\n  PRIMARY KEY (org, value, seq)\n) STRICT, WITHOUT ROWID`
    : `CREATE TABLE ${name} (\n  org bigint NOT NULL,\n  value text COLLATE "C" NOT NULL,\n  seq bigint NOT NULL,\n  PRIMARY KEY (org, value, seq)\n)`
