import type { SiteRequest, SiteResponse } from '../../e2e/src/sites/site.ts'
import type { IdentityStep, IdentityUser } from './okta-identity.ts'
import { rightCode } from './okta-identity.ts'
import { json } from './own-server.ts'

const factors: Readonly<Record<IdentityStep, object>> = {
  totp: { factorType: 'token:software:totp', provider: 'GOOGLE', vendorName: 'GOOGLE' },
  push: {
    factorType: 'push',
    provider: 'OKTA',
    vendorName: 'OKTA',
    profile: {
      credentialId: 'ada',
      deviceType: 'SmartPhone_Android',
      name: 'Phone of Ada',
      platform: 'ANDROID',
    },
  },
  phone: {
    factorType: 'sms',
    provider: 'OKTA',
    vendorName: 'OKTA',
    profile: { phoneNumber: '+1 ***-***-0147' },
  },
  email: {
    factorType: 'email',
    provider: 'OKTA',
    vendorName: 'OKTA',
    profile: { email: 'a***@acme-works.example' },
  },
}

/** Mocks the public authentication API of Okta's classic engine (`/api/v1/authn`) for the sign-in widget. */
export function classicEngine(host: string, users: readonly IdentityUser[]) {
  const polls = new Map<string, number>()
  const api = `https://${host}/api/v1/authn`
  const link = (name: string, path: string) => ({ name, href: `${api}${path}`, hints: { allow: ['POST'] } })
  const person = ({ user }: IdentityUser) => ({
    id: '00u1',
    profile: { login: user, firstName: 'Ada', lastName: 'Byron', locale: 'en', timeZone: 'UTC' },
  })
  const base = (user: IdentityUser, status: string) => ({
    status,
    expiresAt: '2099-01-01T00:00:00.000Z',
    stateToken: user.user,
  })
  const success = (user: IdentityUser) =>
    json({
      ...base(user, 'SUCCESS'),
      stateToken: undefined,
      sessionToken: user.user,
      _embedded: { user: person(user) },
    })
  const factor = (step: IdentityStep) => ({
    id: `factor-${step}`,
    profile: { credentialId: 'ada' },
    ...factors[step],
    _links: { verify: link('verify', `/factors/factor-${step}/verify`) },
  })
  const required = (user: IdentityUser, step: IdentityStep) =>
    json({
      ...base(user, 'MFA_REQUIRED'),
      _embedded: {
        user: person(user),
        factors: [factor(step)],
        policy: { allowRememberDevice: false, factorsPolicyInfo: {} },
      },
      _links: { cancel: link('cancel', '/cancel') },
    })
  const challenged = (user: IdentityUser, step: IdentityStep) =>
    json({
      ...base(user, 'MFA_CHALLENGE'),
      ...(step === 'push' ? { factorResult: 'WAITING' } : {}),
      _embedded: {
        user: person(user),
        factor: factor(step),
        policy: { allowRememberDevice: false, factorsPolicyInfo: {} },
      },
      _links: {
        next: link(step === 'push' ? 'poll' : 'verify', `/factors/factor-${step}/verify`),
        prev: link('prev', '/previous'),
        cancel: link('cancel', '/cancel'),
        ...(step === 'push' ? {} : { resend: [link('sms', `/factors/factor-${step}/verify/resend`)] }),
      },
    })
  const refused = (status: number, errorCode: string, errorSummary: string) =>
    json({ errorCode, errorSummary, errorLink: errorCode, errorId: 'lab', errorCauses: [] }, status)
  const verify = (user: IdentityUser, step: IdentityStep, passCode: unknown): SiteResponse => {
    if (step === 'push') {
      const count = (polls.get(user.user) ?? 0) + 1
      polls.set(user.user, count)
      return count % 4 === 0 ? success(user) : challenged(user, step)
    }
    if (passCode === undefined || passCode === '') return challenged(user, step)
    if (passCode === rightCode) return success(user)
    return refused(403, 'E0000068', 'Invalid Passcode/Answer')
  }
  return ({ method, url, fields }: SiteRequest): SiteResponse | undefined => {
    if (method !== 'POST' || !url.pathname.startsWith('/api/v1/authn')) return undefined
    const path = url.pathname.slice('/api/v1/authn'.length)
    const name = fields.username ?? fields.stateToken
    const user = users.find((one) => one.user === name)
    if (path === '/cancel' || path === '/previous') return json({})
    if (user === undefined) return refused(401, 'E0000004', 'Authentication failed')
    if (path.startsWith('/factors/')) return verify(user, user.step ?? 'totp', fields.passCode)
    if (fields.password !== user.password) return refused(401, 'E0000004', 'Authentication failed')
    return user.step === undefined ? success(user) : required(user, user.step)
  }
}
