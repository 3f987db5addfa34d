import { createHash } from 'node:crypto'
import type { SiteRequest, SiteResponse } from '../../e2e/src/sites/site.ts'
import { json } from './own-server.ts'

/** Second steps of the mock. */
export type IdentityStep = 'totp' | 'email' | 'push' | 'phone'

/** User of the mock. */
export interface IdentityUser {
  readonly user: string
  readonly password: string
  readonly step?: IdentityStep
}

/** Correct code in every step. */
export const rightCode = '482913'

interface State {
  user?: IdentityUser
  polls: number
}

const authenticators: Readonly<Record<IdentityStep | 'password', object>> = {
  password: {
    type: 'password',
    key: 'okta_password',
    displayName: 'Password',
    methods: [{ type: 'password' }],
  },
  totp: { type: 'app', key: 'google_otp', displayName: 'Google Authenticator', methods: [{ type: 'otp' }] },
  email: {
    type: 'email',
    key: 'okta_email',
    displayName: 'Email',
    methods: [{ type: 'email' }],
    profile: { email: 'a***@acme-works.example' },
  },
  push: {
    type: 'app',
    key: 'okta_verify',
    displayName: 'Okta Verify',
    methods: [{ type: 'push' }],
    profile: { deviceName: 'Phone of Ada' },
  },
  phone: {
    type: 'phone',
    key: 'phone_number',
    displayName: 'Phone',
    methods: [{ type: 'sms' }],
    profile: { phoneNumber: '+1 ***-***-0147' },
  },
}

/**
 * Mocks the part of Okta's Identity Engine API (`/idp/idx/*`) that the sign-in widget needs for password, one-time code
 * and push.
 *
 * @param twoPages true if the password is on a separate page
 */
export function identityEngine(host: string, users: readonly IdentityUser[], twoPages = false) {
  const states = new Map<string, State>()
  const origin = `https://${host}`
  const form = (handle: string, name: string, path: string, value: readonly object[], more: object = {}) => ({
    rel: ['create-form'],
    name,
    href: `${origin}/idp/idx/${path}`,
    method: 'POST',
    produces: 'application/ion+json; okta-version=1.0.0',
    accepts: 'application/json; okta-version=1.0.0',
    value: [...value, { name: 'stateHandle', required: true, value: handle, visible: false, mutable: false }],
    ...more,
  })
  const passcode = (label: string, secret: boolean) => ({
    name: 'credentials',
    type: 'object',
    required: true,
    form: { value: [{ name: 'passcode', label, ...(secret ? { secret } : {}) }] },
  })
  const answer = (
    handle: string,
    remediation: readonly object[],
    more: object = {},
    message?: string,
  ): SiteResponse =>
    json(
      {
        version: '1.0.0',
        stateHandle: handle,
        expiresAt: '2099-01-01T00:00:00.000Z',
        intent: 'LOGIN',
        remediation: { type: 'array', value: remediation },
        cancel: form(handle, 'cancel', 'cancel', []),
        app: { type: 'object', value: { name: 'oidc_client', label: 'Dashboard', id: '0oa1' } },
        ...(message === undefined
          ? {}
          : {
              messages: {
                type: 'array',
                value: [{ message, i18n: { key: 'errors.E0000004' }, class: 'ERROR' }],
              },
            }),
        ...more,
      },
      message === undefined ? 200 : 401,
      { 'content-type': 'application/ion+json; okta-version=1.0.0' },
    )
  const identify = (handle: string, message?: string) => {
    const name = { name: 'identifier', label: 'Username', required: true }
    const fields = twoPages ? [name] : [name, passcode('Password', true)]
    return answer(handle, [form(handle, 'identify', 'identify', fields)], {}, message)
  }
  const challenge = (
    handle: string,
    what: IdentityStep | 'password',
    user: IdentityUser,
    message?: string,
  ) => {
    const key = { type: 'object', value: { id: `aut-${what}`, ...authenticators[what] } }
    const more = {
      currentAuthenticatorEnrollment: key,
      ...(what === 'push' ? { currentAuthenticator: key } : {}),
      authenticatorEnrollments: { type: 'array', value: [key.value] },
      user: { type: 'object', value: { id: '00u1', identifier: user.user } },
    }
    if (what === 'push') {
      const relatesTo = ['$.currentAuthenticator']
      const poll = form(handle, 'challenge-poll', 'authenticators/poll', [], { refresh: 1_000, relatesTo })
      return answer(handle, [poll], more, message)
    }
    const label = what === 'password' ? 'Password' : 'Enter code'
    const relatesTo = ['$.currentAuthenticatorEnrollment']
    const code = [passcode(label, what === 'password')]
    return answer(
      handle,
      [form(handle, 'challenge-authenticator', 'challenge/answer', code, { relatesTo })],
      more,
      message,
    )
  }
  const success = (handle: string, { user }: IdentityUser) => {
    const redirect = {
      name: 'success-redirect',
      href: `${origin}/login/token/redirect?user=${encodeURIComponent(user)}`,
    }
    const profile = { user: { type: 'object', value: { id: '00u1', identifier: user } } }
    return answer(handle, [], { success: redirect, ...profile })
  }
  const afterPassword = (handle: string, user: IdentityUser) =>
    user.step === undefined ? success(handle, user) : challenge(handle, user.step, user)
  return ({ method, url, fields }: SiteRequest): SiteResponse | undefined => {
    if (method !== 'POST' || !url.pathname.startsWith('/idp/idx/')) return undefined
    const body = fields as Readonly<Record<string, unknown>>
    const handle = String(
      body.stateHandle ?? body.stateToken ?? createHash('sha256').update(url.href).digest('hex'),
    )
    const state = states.get(handle) ?? { polls: 0 }
    states.set(handle, state)
    const code = (body.credentials as { passcode?: string } | undefined)?.passcode
    switch (url.pathname.slice('/idp/idx/'.length)) {
      case 'introspect':
      case 'cancel':
        states.set(handle, { polls: 0 })
        return identify(handle)
      case 'identify': {
        const user = users.find((one) => one.user === body.identifier)
        if (user === undefined) return identify(handle, 'Unable to sign in')
        state.user = user
        if (twoPages) return challenge(handle, 'password', user)
        return code === user.password ? afterPassword(handle, user) : identify(handle, 'Unable to sign in')
      }
      case 'challenge/answer': {
        const { user } = state
        if (user === undefined) return identify(handle)
        if (twoPages && state.polls === 0) {
          if (code !== user.password) return challenge(handle, 'password', user, 'Password is incorrect')
          state.polls = 1
          return afterPassword(handle, user)
        }
        if (code === rightCode) return success(handle, user)
        return challenge(
          handle,
          user.step ?? 'totp',
          user,
          "Your code doesn't match our records. Please try again.",
        )
      }
      case 'authenticators/poll': {
        const { user } = state
        if (user === undefined) return identify(handle)
        state.polls += 1
        return state.polls > 3 ? success(handle, user) : challenge(handle, 'push', user)
      }
      default:
        return undefined
    }
  }
}
