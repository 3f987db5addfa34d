import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { openPostgres } from '../store/postgres/postgres.ts'
import { explainSystemError } from './system-errors.ts'

const key = 'keys create --name ci --holder ada@example.com --permission read-only'

describe('an unusable path is reported without a stack', () => {
  const cli = useCommandLine('sqlite')
  beforeEach(() => {
    cli.file('file', ['text'])
    cli.file('in/employees.jsonl', [])
    mkdirSync(join(cli.folder, 'odd/muster.db'), { recursive: true })
  })

  test.each([
    [`${key} --data file`, 'is a file'],
    [`${key} --data file/below`, 'is a file'],
    [`${key} --data odd`, 'is a folder, but must be a file'],
    ['org add emea --data file', 'is a file'],
    ['import in --data file', 'is a file'],
    ['demo --employees 1 --data file', 'is a file'],
    ['serve --port 0 --metrics-port 0 --data file', 'is a file'],
    ['keys list --data file', 'No database found in'],
    ['export file/out', 'is a file'],
    ['backup file/all.db', 'is a file'],
  ])('muster %s', async (words, message) => {
    await cli.run('org add emea')
    const { code, stderr } = await cli.run(words)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
    expect(code).toBe(1)
  })

  test('including a folder that the system does not let it create', async () => {
    const { code, stderr } = await cli.run(`${key} --data /proc/muster`)
    expect(stderr).toMatch(
      /\/proc\/muster .*: choose another path\.|\/proc\/muster is not accessible for user/,
    )
    expect(code).toBe(1)
  })

  test('muster restore', async () => {
    await cli.run('org add emea')
    await cli.run('backup all.db')
    const { code, stderr } = await cli.run('restore all.db --data file/below')
    expect(stderr).toContain('is a file')
    expect(stderr).not.toContain('    at ')
    expect(code).toBe(1)
  })
})

describe('a damaged database is reported with what to do', () => {
  const cli = useCommandLine('sqlite')
  const commands = [
    'keys list',
    key,
    'export out',
    'backup all.db',
    'serve --port 0 --metrics-port 0',
    'audit verify',
  ]

  test.each(commands)('by muster %s, where it is no database at all', async (words) => {
    writeFileSync(join(cli.dataDir, 'muster.db'), 'no database'.repeat(1000))
    const { code, stderr } = await cli.run(words)
    expect(stderr).toContain('The database is damaged or not a Muster database')
    expect(stderr).toContain('muster restore FILE --data DIR')
    expect(stderr).not.toContain('    at ')
    expect(code).toBe(1)
  })

  test.each(commands)('by muster %s, where half of it is lost', async (words) => {
    await cli.run('demo --employees 5 --days 10')
    const file = join(cli.dataDir, 'muster.db')
    copyFileSync(file, `${file}.whole`)
    truncateSync(file, 16_384)
    const { code, stderr } = await cli.run(words)
    expect(stderr).toContain('The database is damaged or not a Muster database')
    expect(stderr).not.toContain('    at ')
    expect(code).toBe(1)
  })
})

describe('an unusable PostgreSQL is reported with what to do', () => {
  const cli = useCommandLine('postgres', { isEmpty: true })
  const address = (change: (url: URL) => void): string => {
    const url = new URL(cli.settings.MUSTER_DATABASE_URL ?? '')
    change(url)
    return url.href
  }
  const fails = async (url: string, message: string) => {
    for (const words of [key, 'keys list', 'backup all.db']) {
      const { code, stderr } = await cli.run(`${words} --database-url ${url}`)
      expect(stderr).toContain(message)
      expect(stderr).not.toContain('    at ')
      expect(code).toBe(1)
    }
  }
  const inDatabase = async (...statements: string[]) => {
    const db = openPostgres(cli.settings.MUSTER_DATABASE_URL ?? '', { connections: 1 })
    for (const sql of statements) await db.inTransaction((tx) => tx.run(sql))
    await db.close()
  }

  test('a database that does not exist', () =>
    fails(
      address((url) => {
        url.pathname = '/none_such'
      }),
      'PostgreSQL database does not exist (database "none_such" does not exist): create it',
    ))

  test('a user that does not exist', () =>
    fails(
      address((url) => {
        url.username = 'nobody_such'
      }),
      'PostgreSQL rejected the user (role "nobody_such" does not exist)',
    ))

  test('an unknown parameter', () =>
    fails(
      address((url) => url.searchParams.set('colored', 'yes')),
      'PostgreSQL rejected a parameter (unrecognized configuration parameter "colored")',
    ))

  test('a user without the privilege to create tables', async () => {
    await inDatabase('DROP ROLE IF EXISTS muster_reader', 'CREATE ROLE muster_reader LOGIN')
    const url = address((changed) => {
      changed.username = 'muster_reader'
    })
    expect(await cli.run(`${key} --database-url ${url}`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The PostgreSQL user lacks a privilege \(permission denied/),
    })
  })

  test.each(['CREATE TABLE migrations (id integer)', 'CREATE TABLE organizations (id integer)'])(
    'the tables of another program: %s',
    async (sql) => {
      await inDatabase(sql)
      expect(await cli.run(key)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^The PostgreSQL database has tables of another application/),
      })
    },
  )
})

test.each([
  [{ code: 'EACCES', path: '/srv/muster' }, '/srv/muster is not accessible for user'],
  [{ code: 'EROFS', path: '/srv/muster' }, '/srv/muster is on a read-only file system'],
  [{ code: 'ENOSPC', path: '/srv/muster' }, 'The disk is full (/srv/muster): free some space'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, 'The disk is full (said): free some space'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 8 }, 'The database is not accessible (said): grant this user'],
])('system errors are explained, also as the cause of another error: %j', (members, message) => {
  const error = Object.assign(new Error('said'), members)
  expect(explainSystemError(error)).toContain(message)
  expect(explainSystemError(new Error('outer', { cause: error }))).toContain(message)
})

test('names a user without a name by number, as in containers', () => {
  const module = new URL('./system-errors.ts', import.meta.url).href
  const error = "Object.assign(new Error('said'), { code: 'EACCES', path: '/srv/muster' })"
  // Only root may become a user that the system does not know; any other stays who it is.
  const script = `const { explainSystemError } = await import('${module}')
if (process.getuid() === 0) process.setuid(54321)
console.log(process.getuid(), explainSystemError(${error}))`
  const message = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  expect(message).toMatch(/^(\d+) \/srv\/muster is not accessible for user \1: /)
})

test('does not explain programming errors', () => {
  expect(explainSystemError(new TypeError('x is not a function'))).toBeUndefined()
  expect(explainSystemError(Object.assign(new Error('near "FORM"'), { errcode: 1 }))).toBeUndefined()
  expect(explainSystemError('text')).toBeUndefined()
})
