import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import { createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import { beforeEach, expect, test, vi } from 'vitest'
import { emptyHistory } from '../../password/password-history.ts'
import { judgeTypedPassword, typingKit } from '../../threats/protected-password.ts'
import { completePasswordLogin, passwordHistory } from '../complete-login.ts'
import type { LoginDeps } from '../login-deps.ts'
import type { PendingAttempt } from './attempt.ts'

vi.mock('wxt/browser', async () => ({ browser: (await import('wxt/testing/fake-browser')).fakeBrowser }))

const policy = {
  protectedPasswords: { mode: 'WARN', byApp: {} },
  protectedAppTypes: ['ENVATO', 'HBO_MAX', 'TRELLO'],
} as Pick<AgentPolicy, 'protectedPasswords' | 'protectedAppTypes'> as AgentPolicy

let reported: { password?: { reused: boolean } | null }[]
const deps: LoginDeps = {
  report: async (event) => reported.push(event as { password: null }) > 0,
  policy: async () => policy,
  catalog: async () => createCatalog(products),
  range: async () => null,
  profileEmail: async () => null,
}

const attempt = (url: string, fingerprint = '0123abcd') =>
  ({
    url,
    isLaunched: false,
    secondStep: null,
    password: { fingerprint, length: 12, sha1: null, weakReasons: ['TOO_SHORT'], manuallyTyped: true },
  }) as unknown as PendingAttempt

const signIn = async (url: string, fingerprint?: string) => {
  const checks = { leaked: false, stolenIds: [] }
  await completePasswordLogin(deps, attempt(url, fingerprint), 'ada@example.com', checks)
  return reported.at(-1)
}

beforeEach(async () => {
  reported = []
  await passwordHistory.change(() => emptyHistory)
})

test('a password on several domains of one account system is not reused, on another site it is', async () => {
  await signIn('https://themeforest.net/sign_in')
  expect(await signIn('https://account.envato.com/sign_in')).toMatchObject({ password: { reused: false } })
  expect(await signIn('https://videohive.net/sign_in')).toMatchObject({ password: { reused: false } })
  expect(await signIn('https://shop.example/')).toMatchObject({ password: { reused: true } })
})

test('on a site that appends a code to the password, the login is reported without password facts and nothing is stored', async () => {
  expect(await signIn('https://us.etrade.com/login', 'aaaaaaaa')).toMatchObject({
    kind: 'LOGIN',
    loginType: 'PASSWORD_LOGIN',
    email: 'ada@example.com',
    password: null,
  })
  expect((await passwordHistory.read()).entries).toEqual({})
})

test('a protected password is no threat on a sibling domain, but is on an abandoned domain or one that left the group', async () => {
  const at = async (url: string) => {
    const kit = await typingKit(deps, url)
    const verdict = await judgeTypedPassword(deps, url, '0123abcd')
    return [kit?.hints.length, verdict?.appType]
  }
  await signIn('https://account.envato.com/sign_in')
  expect(await at('https://themeforest.net/sign_in')).toEqual([0, undefined])
  expect(await at('https://themeforest.net.evil.example/')).toEqual([1, 'ENVATO'])
  await passwordHistory.change(() => emptyHistory)
  await signIn('https://www.max.com/login')
  expect(await at('https://hbonow.com/')).toEqual([1, 'HBO_MAX'])
  await passwordHistory.change(() => emptyHistory)
  await signIn('https://trello.com/login')
  expect(await at('https://www.atlassian.com/')).toEqual([1, 'TRELLO'])
})
