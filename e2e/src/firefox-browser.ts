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

/** Build of the agent for Firefox. */
export const firefoxAgent = join(dirname(dirname(import.meta.dirname)), 'agent', 'dist', 'firefox')

/** Real Firefox, driven by its remote protocol. */
export interface FirefoxBrowser {
  /** Installs a temporary extension, as developers do. */
  install(folder: string): Promise<void>
  /** Opens an address in the current tab, and waits until it is loaded or the browser blocked it. */
  open(url: string): Promise<void>
  /** Switches to the tab whose address matches, waiting for it if needed. */
  goToTab(fits: RegExp): Promise<void>
  /** Returns the address of the current tab. */
  address(): Promise<string>
  /** Evaluates an expression in the page of the current tab. */
  evaluate(expression: string): Promise<unknown>
  /** Waits for an element of the current tab, and types into it. */
  type(selector: string, text: string): Promise<void>
  /** Waits for an element of the current tab, and clicks it. */
  click(selector: string): Promise<void>
  /** Plugs in a security key that is registered at a site and confirms every request. */
  plugInSecurityKey(site: string): Promise<void>
  /** Calls a command of WebDriver or Marionette. */
  readonly call: Marionette['call']
  close(): Promise<void>
}

/** Property with which WebDriver identifies elements (W3C, WebDriver, section 12.2). */
export const elementMember = 'element-6066-11e4-a52e-4f735466cecf'

/** Starts Firefox with a fresh profile in which every host resolves to a test world. */
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

/** Writes the preferences for the first start, above all the proxy for all hosts. */
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
    // Allows only the virtual security keys of tests.
    'security.webauth.webauthn_enable_softtoken': true,
    'security.webauth.webauthn_enable_usbtoken': false,
    'security.webauthn.allow_with_certificate_override': true,
    // Lets tests write to the clipboard without a key press.
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
   * Runs a command on an element once it exists and the document is parsed: during parsing, an element may exist before
   * the script that makes it work.
   */
  const runOnElement = async (selector: string, command: string, parameters = {}) => {
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
    type: (selector, text) => runOnElement(selector, 'WebDriver:ElementSendKeys', { text }),
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
    click: (selector) => runOnElement(selector, 'WebDriver:ElementClick'),
  }
}
