import { beforeEach, describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { hashApiKey, isWellFormedApiKey } from '../../kernel/lib/secrets/api-key.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'
import { findApiKeyByHash } from './api-keys.service.ts'

const create = 'keys create --name siem --holder ada@example.com --permission read-only'
const nowSeconds = () => Math.floor(Date.now() / 1000)

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    const kept = async (key: string) => {
      const { MUSTER_DATA: dataDir = '', MUSTER_DATABASE_URL: databaseUrl } = cli.settings
      const db = await openStore({ dataDir, databaseUrl }, nowSeconds())
      const found = await findApiKeyByHash(db, hashApiKey(key))
      await db.close()
      return found
    }

    describe('keys create', () => {
      test('shows the key once with its properties and stores only its hash', async () => {
        const made = await cli.json(create)
        expect(made).toEqual({
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          key: expect.stringMatching(/^mstr_/),
          name: 'siem',
          holder: 'ada@example.com',
          permission: 'READ_ONLY',
          start: made.key.slice(0, 9),
          creationTimestamp: expect.any(Number),
          expiryTimestamp: null,
        })
        expect(isWellFormedApiKey(made.key)).toBe(true)
        const { hash, ...row } = (await kept(made.key)) ?? { hash: '' }
        expect(hash).toBe(hashApiKey(made.key))
        expect(JSON.stringify(row)).not.toContain(made.key)
      })

      test('prints only the key to standard output, and a curl example to standard error', async () => {
        const { code, stdout, stderr } = await cli.run(create)
        expect(code).toBe(0)
        expect(isWellFormedApiKey(stdout.trim())).toBe(true)
        expect(stderr).toContain(`curl --cacert`)
        expect(stderr).toContain(`-H 'x-api-key: ${stdout.trim()}' 'https://localhost:8443/v1/employees`)
      })

      test.each([
        ['90d', 90 * 86_400],
        ['12h', 12 * 3600],
      ])('--expires %s is relative to now', async (expires, seconds) => {
        const made = await cli.json(create, '--expires', expires)
        expect(made.expiryTimestamp - made.creationTimestamp).toBe(seconds)
      })

      test('--expires accepts a date', async () => {
        expect((await cli.json(create, '--expires', '2099-01-31')).expiryTimestamp).toBe(
          Date.UTC(2099, 0, 31) / 1000,
        )
      })

      test.each([
        ['--expires', '2001-01-31', 'in the future'],
        ['--expires', '2099-02-31', 'a date such as'],
        ['--expires', 'soon', 'a date such as'],
        ['--org', 'nowhere', 'Existing organizations: default.'],
      ])('rejects %s %s with a message', async (option, value, message) => {
        await cli.run(create)
        const { code, stdout, stderr } = await cli.run(create, option, value)
        expect({ code: code > 0, stdout }).toEqual({ code: true, stdout: '' })
        expect(stderr).toContain(message)
        expect(await cli.json('keys list')).toHaveLength(1)
      })

      test.each([
        ['--name', 'a\u202eb', 'must not contain control characters, line breaks or text-direction controls'],
        ['--name', 'a\nb', 'must not contain control characters, line breaks or text-direction controls'],
        ['--name', 'x'.repeat(129), 'must have at most 128 characters'],
        ['--holder', 'a..b@example.com', 'must be an e-mail address'],
        ['--holder', '.a@example.com', 'must be an e-mail address'],
      ])('rejects %s %j and escapes it in the message', async (option, value, message) => {
        const others = { '--name': 'x', '--holder': 'ada@example.com', [option]: value }
        const words = Object.entries({ ...others, '--permission': 'read-only' }).flat()
        const { code, stderr } = await cli.run('keys create', ...words)
        expect(code).toBe(2)
        expect(stderr).toContain(`, but ${message}.`)
        expect(stderr).not.toContain('\u202e')
      })

      test('rejects a holder that is not an e-mail address', async () => {
        const { code, stderr } = await cli.run('keys create --name x --holder ada --permission read-only')
        expect(code).toBe(2)
        expect(stderr).toContain('--holder is "ada", but must be an e-mail address.')
      })
    })

    test('a key belongs to its organization', async () => {
      await cli.run('org add emea')
      const { id } = await cli.json(create, '--org', 'emea')
      expect(await cli.json('keys list')).toEqual([])
      expect(await cli.json('keys list --org emea')).toMatchObject([{ id }])
      expect((await cli.run(`keys revoke ${id}`)).code).toBe(1)
      expect(await cli.json('keys list --org emea')).toMatchObject([{ id, state: 'active' }])
    })

    test('keys list shows neither key nor hash', async () => {
      const { key } = await cli.json(create)
      for (const words of ['keys list', 'keys list --json']) {
        const { stdout } = await cli.run(words)
        expect(stdout).toContain(key.slice(0, 9))
        expect(stdout).not.toContain(key)
        expect(stdout).not.toContain(hashApiKey(key))
      }
    })

    describe('keys revoke', () => {
      test('revokes a key, and does nothing if repeated', async () => {
        const { id } = await cli.json(create)
        const revoked = await cli.json(`keys revoke ${id}`)
        expect(revoked).toMatchObject({ id, state: 'revoked', revokedTimestamp: expect.any(Number) })
        expect(await cli.json(`keys revoke ${id}`)).toEqual(revoked)
      })

      test('reports an unknown ID', async () => {
        await cli.run('org add emea')
        const { code, stderr } = await cli.run('keys revoke 01937b5e')
        expect(code).toBe(1)
        expect(stderr).toContain('There is no key with the ID "01937b5e" in the organization default.')
      })
    })

    describe('keys rotate', () => {
      let old: { id: string; key: string }
      beforeEach(async () => {
        old = await cli.json(create)
      })

      test('creates a key with the same name, holder and permission; the old one works for another day', async () => {
        const before = nowSeconds()
        const next = await cli.json(`keys rotate ${old.id}`)
        expect(next).toMatchObject({
          name: 'siem',
          holder: 'ada@example.com',
          permission: 'READ_ONLY',
          expiryTimestamp: null,
        })
        expect(next.key).not.toBe(old.key)
        const expiry = (await kept(old.key))?.expiryTimestamp ?? 0
        expect(expiry - before - 86_400).toBeGreaterThanOrEqual(0)
        expect(expiry - before - 86_400).toBeLessThan(30)
        expect((await kept(next.key))?.id).toBe(next.id)
      })

      test('--overlap 0 revokes the old key at once', async () => {
        await cli.run(`keys rotate ${old.id} --overlap 0`)
        expect((await kept(old.key))?.revokedTimestamp).toEqual(expect.any(Number))
      })

      test('rejects an overlap that is too long', async () => {
        const { code, stderr } = await cli.run(`keys rotate ${old.id} --overlap 999999w`)
        expect(stderr).toContain('--overlap is "999999w", but must end before the year 2106.')
        expect(code).toBe(2)
        expect((await kept(old.key))?.expiryTimestamp).toBeNull()
      })

      test('never extends the lifetime of the old key', async () => {
        const short = await cli.json(create, '--expires', '1h')
        const next = await cli.json(`keys rotate ${short.id} --overlap 7d`)
        expect((await kept(short.key))?.expiryTimestamp).toBe(short.expiryTimestamp)
        expect(next.expiryTimestamp - next.creationTimestamp).toBe(3600)
      })

      test('rejects a second rotation but rotates the successor', async () => {
        const { id, start } = await cli.json(`keys rotate ${old.id}`)
        const { code, stderr } = await cli.run(`keys rotate ${old.id}`)
        expect(code).toBe(1)
        expect(stderr).toContain(`was already rotated. Rotate its successor ${start}… instead.`)
        expect((await cli.run(`keys rotate ${id}`)).code).toBe(0)
      })

      test('does not rotate a revoked key', async () => {
        await cli.run(`keys revoke ${old.id}`)
        const { code, stderr } = await cli.run(`keys rotate ${old.id}`)
        expect(code).toBe(1)
        expect(stderr).toContain('is revoked. Create a new key instead.')
        expect(await cli.json('keys list')).toHaveLength(1)
      })
    })

    describe('org', () => {
      test('add creates an organization, and list shows it', async () => {
        const made = await cli.json('org add emea')
        expect(made).toEqual({ id: expect.any(String), name: 'emea', creationTimestamp: expect.any(Number) })
        expect((await cli.json('org list')).map(({ name }: { name: string }) => name)).toEqual([
          'default',
          'emea',
        ])
        expect(await cli.json('keys list', '--org', made.id)).toEqual([])
      })

      test('add rejects a name that is taken or invalid', async () => {
        await cli.run('org add emea')
        expect(await cli.run('org add emea')).toMatchObject({
          code: 1,
          stderr: 'The organization emea already exists.\n',
        })
        expect((await cli.run('org add', 'a b')).code).toBe(2)
        expect(await cli.json('org list')).toHaveLength(2)
      })
    })
  })
}
