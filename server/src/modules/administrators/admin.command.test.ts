import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'
import { insertAdministrator } from './administrators.service.ts'
import { administratorRow } from './redeem-link.ts'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    /** Adds an administrator directly to the store. */
    const add = async (email: string, role: 'OWNER' | 'READ_ONLY') => {
      const { MUSTER_DATABASE_URL: databaseUrl } = cli.settings as Record<string, string>
      const db = await openStore({ dataDir: cli.dataDir, databaseUrl }, 1)
      await db.inTransaction((tx) =>
        insertAdministrator(tx, { ...administratorRow(1, email, email, 'Ada', 1), role }),
      )
      await db.close()
    }

    test('invite prints a link to the console', async () => {
      const { code, stdout, stderr } = await cli.run('admin invite ada@example.com --role owner')
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^https:\/\/localhost:8443\/console\/invitation#[\w-]{43}\n$/),
      })
      expect(stderr).toMatch(/^Send this link to ada@example.com. It works once, until .* UTC:/)
      expect(await cli.json('admin invite bob@example.com --role read-only')).toEqual({
        link: expect.stringContaining('/console/invitation#'),
        expirationTimestamp: expect.any(Number),
      })
    })

    test('list shows the administrators, or how to invite one', async () => {
      await cli.run('org add emea')
      expect((await cli.run('admin list')).stderr).toContain('muster admin invite')
      await cli.json('admin invite x@example.com --role owner')
      await add('ada@example.com', 'OWNER')
      expect(await cli.json('admin list')).toEqual([
        expect.objectContaining({ email: 'ada@example.com', role: 'OWNER', secondFactors: [] }),
      ])
      expect((await cli.run('admin list')).stdout).toContain('ada@example.com')
    })

    test('reset-password prints a link, and names an unknown administrator', async () => {
      await cli.json('admin invite x@example.com --role owner')
      await add('ada@example.com', 'OWNER')
      const { link } = await cli.json('admin reset-password ADA@example.com --remove-second-factors')
      expect(link).toMatch(/\/console\/reset#[\w-]{43}$/)
      const reset = await cli.run('admin reset-password ada@example.com --remove-second-factors')
      expect(reset.stderr).toContain(
        'Send this link to ada@example.com. The old password no longer works. It works',
      )
      const { code, stderr } = await cli.run('admin reset-password nobody@example.com')
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining('has no administrator "nobody@example.com"'),
      })
    })

    test('remove deletes an administrator, but not the last owner', async () => {
      await cli.json('admin invite x@example.com --role owner')
      await add('ada@example.com', 'OWNER')
      await add('bob@example.com', 'READ_ONLY')
      expect((await cli.run('admin remove bob@example.com --revoke-keys')).stdout).toBe(
        'Removed bob@example.com.\n',
      )
      const refused = await cli.run('admin remove ada@example.com')
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('The last owner must stay')
      expect(await cli.json('admin list')).toHaveLength(1)
    })

    test('invite refuses an invalid e-mail address', async () => {
      const { code, stderr } = await cli.run('admin invite ada --role owner')
      expect(code).toBe(2)
      expect(stderr).toContain('EMAIL is "ada", but must be an e-mail address.')
    })
  })
}
