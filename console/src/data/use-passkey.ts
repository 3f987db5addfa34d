import type { SignInState } from '@muster/contract/console/console-session'
import type { SignInMethods } from '@muster/contract/console/console-sign-in-methods'
import { callConsole } from './call.ts'

/** Loads the library on demand; most people have no passkey. */
const library = () => import('@simplewebauthn/browser')

/** Replaces WebAuthn errors by readable messages. */
function explain(error: unknown): never {
  if (error instanceof Error && error.name === 'NotAllowedError')
    throw new Error('The passkey request was canceled or timed out. Try again.')
  if (error instanceof Error && error.name === 'InvalidStateError')
    throw new Error('This device already has a passkey for your account.')
  throw error
}

/** Signs in or re-authenticates with a passkey. @throws ConsoleError, Error */
export async function authenticateWithPasskey(
  begin: 'signInPasskeyOptions' | 'reauthenticatePasskeyOptions',
  finish: 'signInByPasskey' | 'reauthenticateByPasskey',
): Promise<SignInState> {
  const options = await callConsole(begin)
  const { startAuthentication } = await library()
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const response = await startAuthentication({ optionsJSON }).catch(explain)
  return callConsole(finish, { body: { response: { ...response } } })
}

/** Creates a passkey in this browser and adds it. @throws ConsoleError, Error */
export async function addPasskey(
  name: string,
): Promise<{ methods: SignInMethods; recoveryCodes: string[] | null }> {
  const options = await callConsole('beginPasskey')
  const { startRegistration } = await library()
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  const response = await startRegistration({ optionsJSON }).catch(explain)
  return callConsole('addPasskey', { body: { name, response: { ...response } } })
}
