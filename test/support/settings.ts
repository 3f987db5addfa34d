import { goodPassword, type SignedIn } from './console-browser.ts'
import type { HarnessResponse } from './harness.ts'

/** Returns a setting as an owner sees it. */
export async function seenSetting(who: SignedIn, name: string) {
  const { body } = await who.call('GET', 'settings/pages')
  return body.pages
    .flatMap(({ settings }: { settings: { name: string }[] }) => settings)
    .find((setting: { name: string }) => setting.name === name)
}

/** Changes settings in the console. */
export const changeSettings = (
  who: SignedIn,
  changes: Readonly<Record<string, string | null>>,
): Promise<HarnessResponse> =>
  who.call('PATCH', 'settings/pages', {
    changes: Object.entries(changes).map(([name, value]) => ({ name, value })),
  })

/** Re-authenticates an administrator. */
export const proveAgain = (who: SignedIn): Promise<HarnessResponse> =>
  who.call('POST', 'sign-in', { email: who.email, password: goodPassword })
