import { createHash, pbkdf2Sync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectAnswer, expectProblem, inBody } from '../../../../test/support/answers.ts'
import { stateOf } from '../../../../test/support/fixtures.ts'
import { type Caller, type Harness, useHarness } from '../../../../test/support/harness.ts'
import { STORES, type StoreName } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { decryptText, deriveKeys } from '../../kernel/lib/secrets/secret.ts'

const url = '/v1/controls/stolenCredentials'
const sha1Of = (password: string) => createHash('sha1').update(password).digest('hex')
/** Same key as the harness. */
const keys = deriveKeys(Buffer.alloc(32, 7))

interface Row {
  id: string
  source: string | null
  address_hmac: string
  address_encrypted: string
  salt: string
  iterations: number
  hash: string
  creation_timestamp: number
}

/** Returns everything that a store has written: its files, or every row of every table. */
const everythingWritten: Record<StoreName, (h: Harness) => Promise<string>> = {
  sqlite: async ({ dataDir }) =>
    readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n'),
  postgres: async ({ db }) => {
    const tables = await db.all<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    )
    const rows = await Promise.all(tables.map(({ name }) => db.all(`SELECT t::text AS row FROM ${name} t`)))
    return JSON.stringify(rows)
  },
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    beforeEach(async () => {
      caller = await h.addCaller()
    })
    const add = (credentials: unknown, more: object = {}, as = caller) =>
      h.call(as, 'POST', url, { body: { credentials, ...more } })
    const rowsOf = ({ org }: Caller) =>
      h.db.all<Row>('SELECT * FROM stolen_credentials WHERE org = ? ORDER BY id', [org])

    describe('POST /v1/controls/stolenCredentials', () => {
      test('stores a slow salted hash and an encrypted address, and nothing in plain text', async () => {
        const password = 'corr3ct-h0rse-battery'
        const email = 'Unique.Person@Stolen.example'
        const answer = await add([{ email, password }], { source: 'acme-intelligence' })
        expectAnswer(answer, { count: 1, duplicates: 0 })

        const [row, ...others] = await rowsOf(caller)
        expect(others).toEqual([])
        const { id = '', salt = '', address_encrypted: encrypted = '' } = row ?? {}
        expect(row).toMatchObject({
          source: 'acme-intelligence',
          iterations: 100_000,
          salt: expect.stringMatching(/^[0-9a-f]{32}$/),
          creation_timestamp: unixSeconds(h.clock),
        })
        const sha1 = sha1Of(password).toUpperCase()
        const derived = pbkdf2Sync(sha1, Buffer.from(salt, 'hex'), 100_000, 16, 'sha256')
        expect(row?.hash).toBe(derived.toString('hex'))
        const address = decryptText(keys.addressEncryption, encrypted, `stolen-credential ${id}`)
        expect(address).toBe(email.toLowerCase())

        const written = (await everythingWritten[store](h)).toLowerCase()
        expect(written).toContain('acme-intelligence')
        const secrets = [password, email, 'unique.person', sha1, Buffer.from(sha1, 'hex').toString('latin1')]
        for (const secret of secrets) expect(written).not.toContain(secret.toLowerCase())
      })

      test('counts a credential once, whatever its spelling', async () => {
        const known = { email: 'ada@example.com', password: 'one' }
        const answer = await add([
          known,
          known,
          { email: 'ADA@Example.com', passwordSha1: sha1Of('one').toUpperCase() },
          { email: 'ada@example.com', passwordSha1: sha1Of('one') },
          { email: 'ada@example.com', password: 'two' },
        ])
        expectAnswer(answer, { count: 2, duplicates: 3 })
        const before = await stateOf(h, caller.org)
        expectAnswer(await add([known], { source: 'another feed' }), { count: 0, duplicates: 1 })
        expect(await stateOf(h, caller.org)).toEqual(before)
        expectAnswer(await add([known, { ...known, email: 'bob@example.com' }]), { count: 1, duplicates: 1 })
        const rows = await rowsOf(caller)
        expect(new Set(rows.map(({ hash }) => hash)).size).toBe(3)
        expect(new Set(rows.map(({ salt }) => salt)).size).toBe(2)
        expect(new Set(rows.map(({ source }) => source))).toEqual(new Set([null]))
      })

      test('stores the same credential of two organizations differently', async () => {
        const other = await h.addCaller()
        const credentials = [{ email: 'ada@example.com', password: 'one' }]
        expectAnswer(await add(credentials), { count: 1, duplicates: 0 })
        expectAnswer(await add(credentials, {}, other), { count: 1, duplicates: 0 })
        const [mine] = await rowsOf(caller)
        const [theirs] = await rowsOf(other)
        for (const member of ['address_hmac', 'address_encrypted', 'salt', 'hash'] as const)
          expect(theirs?.[member]).not.toBe(mine?.[member])
      })

      test('does not delay one organization by many credentials of another', async () => {
        const other = await h.addCaller()
        const credentials = Array.from({ length: 40 }, (_, at) => ({
          email: `${at}@example.com`,
          password: 'one',
        }))
        const answered: string[] = []
        await Promise.all([
          add(credentials).then(() => answered.push('many')),
          add(credentials.slice(0, 1), {}, other).then(() => answered.push('one')),
        ])
        expect(answered).toEqual(['one', 'many'])
      })

      test('reports all mistakes at once without passwords, and changes nothing', async () => {
        const before = await stateOf(h, caller.org)
        const choice = 'must be one of { email, password }, { email, passwordSha1 }'
        const email = 'ada@example.com'
        const answer = await add(
          [
            { email, password: 'fine' },
            { email },
            { email, password: '' },
            { email, password: 'secret', passwordSha1: sha1Of('secret') },
            { email, passwordSha1: 'secret' },
            { email: 'no address', password: 'secret' },
            { email, password: 'secret', extra: 1 },
            { email, password: 'x'.repeat(1025) },
            'secret',
          ],
          { source: 'x'.repeat(65) },
        )
        expectProblem(answer, 'invalid_request', [
          inBody('source', 'must have at most 64 characters'),
          inBody('credentials[1]', choice),
          inBody('credentials[2].password', 'must not be empty'),
          inBody('credentials[3]', choice),
          inBody('credentials[4].passwordSha1', 'must be 40 hexadecimal digits, a SHA-1'),
          inBody('credentials[5].email', 'must be an e-mail address'),
          inBody('credentials[6]', choice),
          inBody('credentials[7].password', 'must have at most 1024 characters'),
          inBody('credentials[8]', choice),
        ])
        expect(answer.text).not.toContain('secret')
        expectProblem(await h.call(caller, 'POST', url, { body: {} }), 'invalid_request', [
          inBody('credentials', 'is required'),
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('accepts 1 to 10,000 credentials per call', async () => {
        expectProblem(await add([]), 'invalid_request', [
          inBody('credentials', 'must have at least 1 element'),
        ])
        const one = { email: 'ada@example.com', password: 'one' }
        expectProblem(await add(Array.from({ length: 10_001 }, () => one)), 'invalid_request', [
          inBody('credentials', 'must have at most 10000 elements'),
        ])
        expect(await rowsOf(caller)).toEqual([])
        expectAnswer(await add(Array.from({ length: 10_000 }, () => one)), { count: 1, duplicates: 9999 })
      })

      test('accepts any text as a password', async () => {
        const passwords = ['pässwörd 🐴', ' blanks ', 'quote"\\'].map((password) => ({
          email: 'ada@example.com',
          password,
        }))
        expectAnswer(await add(passwords), { count: 3, duplicates: 0 })
        const [first] = passwords
        const sha1 = createHash('sha1')
          .update(first?.password ?? '', 'utf8')
          .digest('hex')
        const repeated = await add([{ email: 'ada@example.com', passwordSha1: sha1 }])
        expectAnswer(repeated, { count: 0, duplicates: 1 })
      })
    })

    describe('DELETE /v1/controls/stolenCredentials', () => {
      test('removes everything of the organization and returns the count', async () => {
        const other = await h.addCaller()
        const credentials = [{ email: 'ada@example.com', password: 'one' }]
        await add([...credentials, { email: 'bob@example.com', password: 'one' }])
        await add(credentials, {}, other)
        expectAnswer(await h.call(caller, 'DELETE', url), { count: 2 })
        expect(await stateOf(h, caller.org)).toEqual([])
        expect(await rowsOf(other)).toHaveLength(1)
        expectAnswer(await h.call(caller, 'DELETE', url), { count: 0 })
        expectAnswer(await add(credentials), { count: 1, duplicates: 0 })
      })
    })

    describe('GET /v1/controls/stolenCredentials', () => {
      test('does not exist', async () => {
        const answer = await h.call(caller, 'GET', url)
        expectProblem(answer, 'method_not_allowed')
        expect(answer.headers.allow).toBe('DELETE, POST')
      })
    })
  })
}
