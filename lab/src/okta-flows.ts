import type { ExpectedLogin, Flow } from './lab-product.ts'
import type { LoginForm } from './login-flows.ts'
import type { IdentityStep, IdentityUser } from './okta-identity.ts'
import { rightCode } from './okta-identity.ts'

const methods: Readonly<Record<IdentityStep, NonNullable<ExpectedLogin['mfa']>>> = {
  totp: 'APP_TOTP',
  email: 'EMAIL_OTP',
  push: 'PUSH_NOTIFICATION',
  phone: 'SMS_OTP',
}

export const oktaUsers = {
  plain: { user: 'ada.byron@acme-works.example', password: 'Marble-Canyon-3381' },
  totp: { user: 'totp@acme-works.example', password: 'Copper-Meadow-7712', step: 'totp' },
  email: { user: 'mail@acme-works.example', password: 'Willow-Anchor-6450', step: 'email' },
  push: { user: 'push@acme-works.example', password: 'Granite-Violin-1187', step: 'push' },
  phone: { user: 'phone@acme-works.example', password: 'Hazel-Compass-9034', step: 'phone' },
} as const satisfies Readonly<Record<string, IdentityUser>>

/** Selectors of the second steps. */
export interface StepForm extends Pick<LoginForm, 'user' | 'next' | 'password' | 'submit' | 'signedIn'> {
  readonly user: string
  readonly submit: string
  readonly code: string
  /** Button that submits the code. Default: `submit`. */
  readonly verify?: string
  /** Button that sends the push or the code, if it must be requested. */
  readonly send?: Partial<Readonly<Record<IdentityStep, string>>>
}

/** Returns the flows with a second step: each method, and a wrong code before leaving. */
export function secondStepFlows(form: StepForm, steps: readonly IdentityStep[]): Flow[] {
  const upToCode =
    (step: IdentityStep): Flow['run'] =>
    async (person) => {
      const { user, password } = oktaUsers[step]
      await person.open('/')
      await person.type(form.user, user)
      if (form.next !== undefined) await person.click(form.next)
      await person.type(form.password, password)
      await person.click(form.submit)
      const send = form.send?.[step]
      if (send !== undefined) await person.click(send)
      // The widget first shows the link in the e-mail, and the code field on request.
      if (step === 'email') await person.click('button', 'Enter a verification code instead')
      if (step === 'push') return
      await person.miss(form.password === form.code ? form.user : form.password)
      await person.see(form.code)
      await person.pause(1_500)
    }
  const enterCode = async (person: Parameters<Flow['run']>[0], code: string) => {
    await person.type(form.code, code)
    await person.click(form.verify ?? form.submit)
  }
  const right = steps.map(
    (step): Flow => ({
      name: `second step: ${step}`,
      run: async (person) => {
        await upToCode(step)(person)
        if (step !== 'push') await enterCode(person, rightCode)
        await person.see(form.signedIn)
      },
      expect: [{ identity: oktaUsers[step].user, mfa: methods[step] }],
    }),
  )
  const wrong = steps
    .filter((step) => step !== 'push')
    .slice(0, 2)
    .map(
      (step): Flow => ({
        name: `wrong code: ${step}`,
        run: async (person) => {
          await upToCode(step)(person)
          await enterCode(person, '111111')
          await person.pause(3_000)
        },
        expect: [],
      }),
    )
  return [...right, ...wrong]
}
