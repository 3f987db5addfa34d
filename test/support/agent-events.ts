import type {
  AgentEvent,
  AppBannerEvent,
  BlockedUrlVisitedEvent,
  ExtensionFacts,
  ExtensionsEvent,
  ExtensionThreatEvent,
  HeartbeatEvent,
  LoginEvent,
  PageThreatEvent,
  PasswordFacts,
  VisitEvent,
} from '@muster/contract/agent/agent-event'
import { type Clock, unixSeconds } from '../../server/src/kernel/lib/clock.ts'
import { idSource } from '../../server/src/kernel/lib/secrets/id.ts'
import { asBrowser, browserFacts } from './agents.ts'
import type { Harness, HarnessResponse } from './harness.ts'

type Members<E> = Partial<Omit<E, 'kind'>>

/** Returns a password of a browser without known problems. */
export const aPassword = (members: Partial<PasswordFacts> = {}): PasswordFacts => ({
  passwordId: '6f1d9c1e-0b6f-4c39-9b55-3f6f2f0f8a11',
  manuallyTyped: false,
  weakReasons: [],
  leaked: false,
  reused: false,
  stolenIds: [],
  ...members,
})

/** Returns an extension in a browser's report. */
export const anExtension = (members: Partial<ExtensionFacts> = {}): ExtensionFacts => ({
  extensionId: 'cjpalhdlnbpafiamejdnhcphjbkeiagm',
  name: 'uBlock Origin',
  description: 'An efficient blocker.',
  deploymentMode: 'MANUAL',
  permissions: ['storage', 'tabs'],
  hostPermissions: ['https://*/*'],
  version: '1.58.0',
  versionName: null,
  enabled: true,
  disabledReason: null,
  updateUrl: null,
  homePageUrl: null,
  ...members,
})

/** Creates current events. Their members are harmless unless given. */
export function eventMaker(clock: Clock) {
  const makeId = idSource()
  const of =
    <E extends AgentEvent>(kind: E['kind'], plain: Omit<E, 'id' | 'kind' | 'timestamp'>) =>
    (members: Members<E> = {}): E =>
      ({
        id: makeId(clock.nowMs()),
        kind,
        timestamp: unixSeconds(clock),
        ...plain,
        ...members,
      }) as unknown as E
  return {
    heartbeat: of<HeartbeatEvent>('HEARTBEAT', browserFacts()),
    extensions: of<ExtensionsEvent>('EXTENSIONS', { extensions: [] }),
    login: of<LoginEvent>('LOGIN', {
      loginUrl: 'https://zapier.com/app/login',
      email: 'ada@example.com',
      loginType: 'PASSWORD_LOGIN',
      identityProvider: null,
      password: aPassword(),
      mfa: null,
    }),
    oidcLogin: of<LoginEvent>('LOGIN', {
      loginUrl: 'https://zapier.com/app/login',
      email: 'ada@example.com',
      loginType: 'OIDC_LOGIN',
      identityProvider: 'GOOGLE_WORKSPACE',
      password: null,
      mfa: null,
    }),
    visit: of<VisitEvent>('VISIT', { host: 'app.notion.so' }),
    blockedUrl: of<BlockedUrlVisitedEvent>('BLOCKED_URL_VISITED', {
      url: 'https://bad.example/page',
      referrerUrl: null,
      blockedUrlId: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
    }),
    pageThreat: of<PageThreatEvent>('PAGE_THREAT', {
      threat: 'CLONED_LOGIN_PAGE',
      url: 'https://okta-login.example/',
      referrerUrl: 'https://mail.example.com/',
      mode: 'WARN',
      response: 'EMPLOYEE_WARNED',
      passwordEntered: false,
      appType: 'OKTA',
    }),
    extensionThreat: of<ExtensionThreatEvent>('EXTENSION_THREAT', {
      extensionId: 'cjpalhdlnbpafiamejdnhcphjbkeiagm',
      risk: 'HIGH',
      disabled: false,
    }),
    banner: of<AppBannerEvent>('APP_BANNER', {
      bannerId: 'genai',
      host: 'zapier.com',
      action: 'DISPLAYED',
      reason: null,
    }),
  }
}

/** Reports a batch as a browser. */
export const report = (
  h: Harness,
  credential: string,
  events: readonly unknown[],
  more: { userAgent?: string; still?: boolean } = {},
): Promise<HarnessResponse> =>
  asBrowser(h, credential, 'POST', '/events', {
    body: { events },
    still: more.still ?? false,
    headers: { 'user-agent': more.userAgent ?? 'Mozilla/5.0 (test)' },
  })
