import type { LoginEvent } from '@muster/contract/agent/agent-event'
import type { ExpectedLogin } from './lab-product.ts'

/** Compared members of an event. */
export type SeenLogin = Pick<
  LoginEvent,
  'loginUrl' | 'email' | 'loginType' | 'identityProvider' | 'password' | 'mfa'
>

/**
 * Returns the differences between the events of a flow and its expectation; empty if every detail is correct.
 *
 * @param host default host of `loginUrl`
 */
export function faultsOf(
  expected: readonly ExpectedLogin[],
  seen: readonly SeenLogin[],
  host: string,
): string[] {
  if (expected.length === 0 && seen.length > 0) return [`false login: ${seen.map(describeLogin).join('; ')}`]
  if (seen.length < expected.length)
    return [seen.length === 0 ? 'login not seen' : `${expected.length - seen.length} login not seen`]
  const surplus = seen.slice(expected.length)
  return [
    ...expected.flatMap((login, index) => differences(login, seen[index], host)),
    ...surplus.map((login) => `surplus login: ${describeLogin(login)}`),
  ]
}

function differences(expected: ExpectedLogin, seen: SeenLogin | undefined, productHost: string): string[] {
  if (seen === undefined) return ['login not seen']
  const {
    identity,
    type = 'PASSWORD_LOGIN',
    identityProvider = null,
    mfa = null,
    host = productHost,
  } = expected
  const isPassword = type === 'PASSWORD_LOGIN'
  const { typed = isPassword ? true : undefined, weak = [], reused = false } = expected
  const pairs: [what: string, wanted: unknown, got: unknown][] = [
    ['identity', identity, seen.email],
    ['type', type, seen.loginType],
    ['identity provider', identityProvider, seen.identityProvider],
    [
      'MFA',
      mfa,
      mfa === 'ANY' && seen.mfa !== null ? 'ANY' : seen.mfa && (seen.mfa.method ?? 'unknown method'),
    ],
    ['login URL host', host, new URL(seen.loginUrl).host],
  ]
  if (isPassword) pairs.push(['password', 'known', seen.password === null ? 'missing' : 'known'])
  if (seen.password !== null) {
    pairs.push(
      ['weak', [...weak].sort().join(), [...seen.password.weakReasons].sort().join()],
      ['reused', reused, seen.password.reused],
    )
    if (typed !== undefined) pairs.push(['typed', typed, seen.password.manuallyTyped])
  }
  const faults = pairs
    .filter(([, wanted, got]) => wanted !== got)
    .map(([what, wanted, got]) => `${what}: ${named(got)} instead of ${named(wanted)}`)
  if (expected.urlWithout?.test(seen.loginUrl))
    faults.push(`login URL keeps ${expected.urlWithout}: ${seen.loginUrl}`)
  return faults
}

const named = (value: unknown): string => (value === null || value === '' ? 'none' : String(value))

/** Describes an event in short. */
export function describeLogin({ email, loginType, identityProvider, mfa, password }: SeenLogin): string {
  const type = loginType.replace('_LOGIN', '').toLowerCase()
  const typed = password && (password.manuallyTyped ? 'typed' : 'not typed')
  const parts = [type, identityProvider, typed, mfa && `MFA ${mfa.method ?? 'unknown'}`]
  return `${email} (${parts.filter(Boolean).join(', ')})`
}

/** Describes an expectation in short. */
export function describeExpected(expected: readonly ExpectedLogin[]): string {
  if (expected.length === 0) return 'none'
  return expected
    .map(({ identity, type = 'PASSWORD_LOGIN', mfa, identityProvider }) =>
      [identity, type === 'PASSWORD_LOGIN' ? '' : type, identityProvider, mfa && `MFA ${mfa}`]
        .filter(Boolean)
        .join(' '),
    )
    .join('; ')
}

/** Outcome of one flow in one browser. */
export interface FlowResult {
  readonly product: string
  readonly browser: string
  readonly flow: string
  readonly expected: string
  readonly seen: string
  /** Empty if correct in every detail. */
  readonly faults: readonly string[]
  /** Error of the flow itself, which is then not counted. */
  readonly broken?: string
}

/** Returns the percentage of correct flows. Flows that did not finish are not counted. */
export function percentRight(results: readonly FlowResult[]): number {
  const counted = results.filter(({ broken }) => broken === undefined)
  if (counted.length === 0) return 0
  return (100 * counted.filter(({ faults }) => faults.length === 0).length) / counted.length
}
