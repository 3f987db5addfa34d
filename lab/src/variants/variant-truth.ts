import type { ExpectedLogin } from '../lab-product.ts'
import type { Variant } from './variant-dimensions.ts'

/** Methods of the second steps whose page shows the method. */
const methods: Readonly<Record<string, ExpectedLogin['mfa']>> = {
  sms: 'SMS_OTP',
  mail: 'EMAIL_OTP',
  voice: 'PHONE_CALL',
  push: 'PUSH_NOTIFICATION',
  number: 'PUSH_NOTIFICATION',
  key: 'WEBAUTHN',
  backup: 'BACKUP_CODES',
  untold: 'ANY',
}

/** Method of a second step; null for none. */
const methodOf = ({ step }: Variant): ExpectedLogin['mfa'] =>
  step === 'none' ? null : (methods[step] ?? 'APP_TOTP')

const identities = { mail: 'ada.byron@acme-works.example', name: 'ada.byron', number: '4711042' } as const

/** Identity that the person types. Forms that ask for an address get one. */
export const identityOf = ({ who, task }: Variant): string => identities[task === 'login' ? who : 'mail']

/** Tasks that create an account of the person, or log in to it. */
const ownAccountTasks: readonly string[] = ['login', 'sign-up', 'sign-up-mail-code', 'checkout-account']

/** Host of the page that holds the form. */
const formHostOf = ({ structure }: Variant, host: string): string =>
  structure === 'foreign-iframe' ? `id.${host}` : host

/** LOGIN events that a variant must cause. */
export function truthOf(variant: Variant, host: string): ExpectedLogin[] {
  const { task, story, step, stepEnd } = variant
  if (!ownAccountTasks.includes(task)) return []
  if (story === 'wrong' || story === 'leave') return []
  if (step !== 'none' && (stepEnd === 'wrong' || stepEnd === 'abandoned')) return []
  return [
    {
      identity: identityOf(variant),
      typed: story !== 'pasted' && story !== 'filled',
      mfa: stepEnd === 'remembered' ? null : (methodOf(variant) ?? null),
      host: formHostOf(variant, host),
    },
  ]
}
