import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { policyRevision } from '../../kernel/organizations/policy-revision.ts'

const provider = {
  appType: 'ACME_SIGN_IN',
  friendlyName: 'Acme Sign-in',
  website: 'https://sso.acme.example',
  description: 'Signs employees in to apps.',
  domains: ['sso.acme.example'],
  loginHosts: ['sso.acme.example'],
  identityProvider: 'ACME_SIGN_IN',
  brandWords: ['Acme'],
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let ada: SignedIn
    let reader: SignedIn
    let stranger: SignedIn

    beforeAll(async () => {
      const org = await h.addOrganization('Acme')
      ada = await signedIn(h, org, 'FULL_ACCESS')
      reader = await signedIn(h, org, 'READ_ONLY')
      stranger = await signedIn(h, await h.addOrganization('other'))
    })

    test('adds, changes and removes a provider and updates the policy', async () => {
      const before = await policyRevision(h.db, ada.org)
      expect((await ada.call('POST', 'catalog', provider)).body.products).toEqual([provider])
      expect(await policyRevision(h.db, ada.org)).toBeGreaterThan(before)
      const changed = { ...provider, brandWords: ['Acme', 'Acme Works'] }
      expect((await ada.call('POST', 'catalog', changed)).body.products).toEqual([changed])
      expect((await reader.call('GET', 'catalog')).body.products).toEqual([changed])
      expect((await stranger.call('GET', 'catalog')).body.products).toEqual([])
      const { appType } = provider
      expectProblem(await stranger.call('POST', 'catalog/remove', { appType }), 'not_found')
      expect((await ada.call('POST', 'catalog/remove', { appType })).body.products).toEqual([])
    })

    test('rejects an invalid provider with its mistakes', async () => {
      const answer = await ada.call('POST', 'catalog', {
        ...provider,
        loginHosts: ['sso.other.example'],
        brandWords: [],
      })
      expect(answer.status).toBe(400)
      expect(JSON.stringify(answer.body.errors)).toMatch(/sso\.other\.example.*brand words/)
    })

    test('keeps a provider that a control names until the control is changed', async () => {
      await ada.call('POST', 'catalog', provider)
      const { version } = (await ada.call('GET', 'controls')).body
      const change = { protectedAppTypes: [provider.appType] }
      expect((await ada.call('PATCH', 'controls', { seen: version, change })).status).toBe(200)
      expectProblem(await ada.call('POST', 'catalog/remove', { appType: provider.appType }), 'conflict')
    })

    test('rejects changes by a reader', async () => {
      expectProblem(await reader.call('POST', 'catalog', provider), 'role_too_low')
    })
  })
}
