import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { programs } from '../../scripts/programs.mjs'
import { freePort } from '../../test/support/private-server.ts'
import { until } from '../../test/support/until.ts'
import { openHostProxy } from './host-proxy.ts'
import type { World } from './make-world.ts'
import { connectMarionette, type Marionette } from './marionette.ts'
import { musterHost } from './muster-service.ts'

/** The agent as it was built for Firefox. */
export const firefoxAgent = join(dirname(dirname(import.meta.dirname)), 'agent', 'dist', 'firefox')

/** A real Firefox, driven by its own remote protocol. */
export interface FirefoxBrowser {
  /** Loads an extension until the browser ends, as developers do. */
  install(folder: string): Promise<void>
  /** Opens an address in the current tab, and waits until it is loaded, or the browser stopped it. */
  open(url: string): Promise<void>
  /** Makes the tab current whose address fits; waits for it. */
  goToTab(fits: RegExp): Promise<void>
  /** Address of the current tab. */
  address(): Promise<string>
  /** What an expression in the page of the current tab comes to. */
  evaluate(expression: string): Promise<unknown>
  /** Waits for an element of the current tab, and types into it. */
  type(selector: string, text: string): Promise<void>
  /** Waits for an element of the current tab, and clicks it. */
  click(selector: string): Promise<void>
  /** Plugs in a security key that is registered at a site, and is touched whenever it asks. */
  plugInSecurityKey(site: string): Promise<void>
  /** Calls a command of WebDriver or Marionette. */
  readonly call: Marionette['call']
  close(): Promise<void>
}

/** The member by which WebDriver names elements (W3C, WebDriver, section 12.2). */
export const elementMember = 'element-6066-11e4-a52e-4f735466cecf'

/** Starts Firefox on a fresh profile, in which every host leads into a world. */
export async function launchFirefox(world: World): Promise<FirefoxBrowser> {
  const program = programs.firefox.find()
  if (program === undefined) throw new Error('Firefox was not found: run `npm test`, which installs it')
  const proxy = await openHostProxy((host) => (host === musterHost ? world.line.port : world.web.port))
  const profile = join(world.folder, 'firefox')
  const port = await freePort()
  writeProfile(profile, port, proxy.port)
  const firefox = spawn(program, ['--headless', '--marionette', '--no-remote', '--profile', profile], {
    stdio: 'ignore',
    env: { ...process.env, HOME: profile },
  })
  const ended = once(firefox, 'exit')
  const end = async () => {
    firefox.kill()
    await ended
    await proxy.close()
  }
  const session = await until('Firefox', () => connectMarionette(port)).catch(async (error: unknown) => {
    await end()
    throw error
  })
  await session.call('WebDriver:NewSession', { acceptInsecureCerts: true })
  return {
    ...driver(session),
    install: async (path) => {
      await session.call('Addon:Install', { path, temporary: true })
    },
    close: async () => {
      await session.call('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => undefined)
      session.close()
      await end()
    },
  }
}

/** What is set before the first start: above all, the way to all hosts. */
function writeProfile(profile: string, port: number, proxyPort: number): void {
  const preferences = {
    'marionette.port': port,
    'network.proxy.type': 1,
    'network.proxy.ssl': '127.0.0.1',
    'network.proxy.ssl_port': proxyPort,
    'network.proxy.http': '127.0.0.1',
    'network.proxy.http_port': proxyPort,
    'browser.safebrowsing.downloads.remote.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'extensions.update.enabled': false,
    'intl.accept_languages': 'en-GB, en',
    // Security keys are those that a test plugs in.
    'security.webauth.webauthn_enable_softtoken': true,
    'security.webauth.webauthn_enable_usbtoken': false,
    'security.webauthn.allow_with_certificate_override': true,
    // Tests put texts on the clipboard without a press of a key.
    'dom.events.testing.asyncClipboard': true,
    'signon.autofillForms': false,
    'signon.rememberSignons': false,
  }
  mkdirSync(profile, { recursive: true })
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join(''))
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url')
const privateKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'der' })
    .toString('base64url')

function driver({ call }: Marionette): Omit<FirefoxBrowser, 'install' | 'close'> {
  const value = async (command: string, parameters = {}) =>
    ((await call(command, parameters)) as { readonly value: unknown }).value
  const evaluate = (expression: string) =>
    value('WebDriver:ExecuteScript', { script: `return ${expression}`, args: [] })
  /**
   * Does something with an element as soon as it is there and people could do it. While a document is parsed, an element
   * may be there before the script that makes it work.
   */
  const act = async (selector: string, command: string, parameters = {}) => {
    await until(`${command} on ${selector}`, async () => {
      if ((await evaluate('document.readyState')) === 'loading') return false
      const found = await value('WebDriver:FindElement', { using: 'css selector', value: selector })
      await call(command, { id: (found as Readonly<Record<string, string>>)[elementMember], ...parameters })
      return true
    })
  }
  const address = async () => String(await value('WebDriver:GetCurrentURL'))
  return {
    call,
    address,
    open: async (url) => {
      await call('WebDriver:Navigate', { url }).catch((error: Error) => {
        if (!/about:neterror|NS_BINDING_ABORTED|Reached error page/.test(error.message)) throw error
      })
    },
    goToTab: async (fits) => {
      await until(`tab ${fits}`, async () => {
        for (const handle of (await call('WebDriver:GetWindowHandles')) as string[]) {
          await call('WebDriver:SwitchToWindow', { handle, focus: true })
          if (fits.test(await address())) return true
        }
        return false
      })
    },
    evaluate,
    type: (selector, text) => act(selector, 'WebDriver:ElementSendKeys', { text }),
    plugInSecurityKey: async (rpId) => {
      const authenticatorId = await value('WebAuthn:AddVirtualAuthenticator', {
        protocol: 'ctap2',
        transport: 'usb',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserConsenting: true,
        isUserVerified: true,
      })
      await call('WebAuthn:AddCredential', {
        authenticatorId,
        credentials: {
          credentialId: base64url('key of ada'),
          isResidentCredential: true,
          rpId,
          privateKey: privateKey(),
          userHandle: base64url('ada'),
          signCount: 1,
        },
      })
    },
    click: (selector) => act(selector, 'WebDriver:ElementClick'),
  }
}
