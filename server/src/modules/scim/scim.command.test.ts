import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    test('a token is created with the base URL, listed without the token, and revoked', async () => {
      const made = await cli.json('scim token create', '--name', 'Okta')
      expect(made).toMatchObject({
        name: 'Okta',
        assignsLicenses: true,
        token: expect.stringMatching(/^msct_/),
      })
      expect(made.baseUrl).toMatch(/^https:\/\/.*\/scim\/v2$/)
      await cli.run('scim token create', '--name', 'Entra ID', '--no-licenses')
      const { stdout } = await cli.run('scim token list')
      expect(stdout).toMatch(/Okta +active +yes/)
      expect(stdout).toMatch(/Entra ID +active +no/)
      expect(stdout).not.toContain(made.token)
      expect((await cli.run('scim token revoke', made.id)).stdout).toContain('Revoked the token Okta')
      const [okta] = await cli.json('scim token list')
      expect(okta).toMatchObject({
        id: made.id,
        revokedTimestamp: expect.any(Number),
        lastUsedTimestamp: null,
      })
      const unknown = await cli.run('scim token revoke', 'none')
      expect(unknown).toMatchObject({ code: 1 })
      expect(unknown.stderr).toContain('muster scim token list')
    })
  })
}
