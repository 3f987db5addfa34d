import type { LoginType } from '@muster/contract/agent/agent-event'
import type { mfaMethods } from '@muster/contract/records/account'
import type { MusterService } from '../../e2e/src/muster-service.ts'
import type { Person } from './lab-person.ts'
import type { LoginForm } from './login-flows.ts'

/** Facts that a LOGIN event must report. Omitted members have the stated default. */
export interface ExpectedLogin {
  /** E-mail address or user name. */
  readonly identity: string
  /** Default: PASSWORD_LOGIN. */
  readonly type?: LoginType
  /** Name in the catalog. Default: null. */
  readonly identityProvider?: string | null
  /** True if the password was typed by hand. Default: true for PASSWORD_LOGIN; not compared for other types. */
  readonly typed?: boolean | null
  /** Second step: its method, or `ANY` if the page does not show the method. Default: none. */
  readonly mfa?: (typeof mfaMethods)[number] | 'ANY' | null
  /** Default: none. */
  readonly weak?: readonly string[]
  /** True if this browser used the password on another app. Default: false. */
  readonly reused?: boolean
  /** Host of `loginUrl`. Default: host of the product. */
  readonly host?: string
  /** Part that `loginUrl` must not contain, such as a one-time identifier. */
  readonly urlWithout?: RegExp
}

/** Slows a product or the browser down while a flow runs. */
export interface Conditions {
  /** Delay of responses whose `METHOD path` matches. */
  readonly delay?: { readonly matches: RegExp; readonly ms: number }
  /** CPU slowdown factor (Chromium only). */
  readonly cpu?: number
}

/** Actions of a person, and the events that they must cause. */
export interface Flow {
  readonly name: string
  readonly run: (person: Person) => Promise<void>
  /** LOGIN events that must arrive, in this order; empty if there must be none. */
  readonly expect: readonly ExpectedLogin[]
  readonly conditions?: Conditions
  /** Browsers that can run the flow. Default: both. */
  readonly browsers?: readonly BrowserName[]
  /** True if `--quick` runs it. Default: true for the basic login flows, false for others. */
  readonly quick?: boolean
  /**
   * Host that no other flow uses. Only events of this host and its subdomains count. A product whose flows all have a
   * host runs in several browsers at once.
   */
  readonly host?: string
}

/** Number of drawn flows, and the seed that determines them. */
export interface Draw {
  readonly count: number
  readonly seed: number
}

export type BrowserName = 'chromium' | 'firefox'

/** Packages of a product, installed into the cache at run time. */
export interface Packages {
  /** npm packages: exact versions by name. */
  readonly npm?: Readonly<Record<string, string>>
  /** Exact versions for transitive npm packages, as `overrides` of package.json. */
  readonly overrides?: Readonly<Record<string, string>>
  /** npm packages with a native addon, compiled by node-gyp after the installation. */
  readonly nativeAddons?: readonly string[]
  /** Debian packages, unpacked with their dependencies below `debian` of the installation. */
  readonly debian?: readonly string[]
  /** Debian packages that apt-get installs into the system (needs root). */
  readonly system?: readonly string[]
}

/** Environment of a running product. Everything started or deferred here ends with the product's run. */
export interface Stage {
  /** Folder of the installed packages: `node_modules` for npm, `debian` for unpacked Debian packages. */
  readonly installed: string
  /** Fresh, empty folder for the product's data. */
  readonly data: string
  /** Running Muster, for settings that the product needs, such as an identity provider in the catalog. */
  readonly muster: MusterService
  /** Reserves a loopback port, and forwards `https://<host>` to it with X-Forwarded-* headers. */
  serve(host: string): Promise<number>
  /** Runs a command to its end and returns its standard output. @throws if it fails */
  exec(program: string, args: readonly string[], options?: ProcessOptions): Promise<string>
  /** Starts a server, and waits until `http://127.0.0.1:<port><path>` answers with a status below 500. */
  start(
    program: string,
    args: readonly string[],
    options: ProcessOptions & { readonly port: number; readonly path?: string },
  ): Promise<void>
  /** Path of the Node executable for products. */
  readonly node: string
  /** Runs after the product. */
  defer(end: () => Promise<void> | void): void
  /** Registers a password for the search of Muster's traffic, and returns it. */
  secret(password: string): string
}

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly input?: string
}

/** Product of the lab: its installation, start, and flows. */
export interface Product {
  /** Name of the file without extension. */
  readonly name: string
  /** Public-looking host name. */
  readonly host: string
  readonly packages?: Packages
  /** Starts the product with its users. */
  readonly start: (stage: Stage) => Promise<void>
  /** Login form of the product, from which `login-flows.ts` derives flows. */
  readonly login?: LoginForm
  /** Flows of this product only. */
  readonly flows?: readonly Flow[]
  /** Draws random flows, which replace the others if `--count` is given. */
  readonly draw?: (draw: Draw) => readonly Flow[]
  /** True if `--quick` runs it. */
  readonly quick?: boolean
}
