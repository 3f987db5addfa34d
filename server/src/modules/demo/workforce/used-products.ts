import type { LoginType } from '@muster/contract/agent-event'
import type { Department } from './company.ts'

/** How people sign in to an app: the kind of login and who vouches for them. */
export interface SignIn {
  readonly loginType: LoginType
  readonly identityProvider: string | null
}

const signIns = {
  password: { loginType: 'PASSWORD_LOGIN', identityProvider: null },
  google: { loginType: 'OIDC_LOGIN', identityProvider: 'GOOGLE_WORKSPACE' },
  microsoft: { loginType: 'OIDC_LOGIN', identityProvider: 'MICROSOFT_365' },
  okta: { loginType: 'SAML_LOGIN', identityProvider: 'OKTA' },
  swa: { loginType: 'OKTA_SWA_LOGIN', identityProvider: 'OKTA' },
  atlassian: { loginType: 'VENDOR_SSO_LOGIN', identityProvider: 'ATLASSIAN' },
  fedcm: { loginType: 'FEDCM_LOGIN', identityProvider: 'GOOGLE_WORKSPACE' },
} as const satisfies Record<string, SignIn>

/** The ways to an app that is not tied to one of them, as often as the weights say. */
export const anySignIn: readonly (SignIn & { readonly weight: number })[] = [
  { ...signIns.password, weight: 50 },
  { ...signIns.google, weight: 30 },
  { ...signIns.microsoft, weight: 7 },
  { ...signIns.okta, weight: 5 },
  { ...signIns.swa, weight: 4 },
  { ...signIns.fedcm, weight: 4 },
]

/** For whom an app is; `GenAI` are apps for everyone, but of a kind of their own. */
export type Audience = Department | 'Everyone' | 'GenAI'

/** A product of the catalog that the made-up company uses; its use is invented. */
export interface UsedProduct {
  readonly appType: string
  readonly audience: Audience
  /** From 0 to 1: the share of its audience that uses it. */
  readonly reach: number
  /** The usual way to sign in. */
  readonly signIn: SignIn
}

const used = (
  audience: Audience,
  ...apps: readonly (readonly [appType: string, reach: number, way: keyof typeof signIns])[]
): UsedProduct[] => apps.map(([appType, reach, way]) => ({ appType, audience, reach, signIn: signIns[way] }))

/** Real products under the catalog's names. */
export const usedProducts: readonly UsedProduct[] = [
  ...used(
    'Everyone',
    ['OKTA', 0.95, 'password'],
    ['GOOGLE_WORKSPACE', 0.97, 'okta'],
    ['SLACK', 0.95, 'okta'],
    ['ZOOM', 0.7, 'okta'],
    ['NOTION', 0.45, 'google'],
    ['MICROSOFT_365', 0.25, 'password'],
    ['DROPBOX', 0.16, 'password'],
    ['MIRO', 0.22, 'google'],
    ['CANVA', 0.15, 'google'],
    ['TRELLO', 0.1, 'atlassian'],
    ['ASANA', 0.18, 'google'],
    ['LINKEDIN', 0.35, 'password'],
    ['CALENDLY', 0.14, 'google'],
    ['DOCUSIGN', 0.13, 'password'],
    ['ONEPASSWORD', 0.45, 'password'],
    ['LOOM', 0.12, 'google'],
    ['GRAMMARLY', 0.15, 'password'],
  ),
  ...used(
    'GenAI',
    ['CHATGPT', 0.45, 'google'],
    ['CLAUDE', 0.28, 'google'],
    ['PERPLEXITY', 0.1, 'fedcm'],
    ['MIDJOURNEY', 0.04, 'password'],
    ['DEEPL', 0.12, 'password'],
  ),
  ...used(
    'Engineering',
    ['GITHUB', 0.96, 'password'],
    ['GITLAB', 0.15, 'password'],
    ['JIRA', 0.85, 'atlassian'],
    ['ATLASSIAN', 0.6, 'okta'],
    ['LINEAR', 0.3, 'google'],
    ['AWS', 0.6, 'okta'],
    ['GOOGLE_CLOUD', 0.25, 'google'],
    ['CLOUDFLARE', 0.2, 'password'],
    ['DATADOG', 0.5, 'okta'],
    ['SENTRY', 0.45, 'google'],
    ['PAGERDUTY', 0.35, 'okta'],
    ['POSTMAN', 0.35, 'password'],
    ['FIGMA', 0.4, 'google'],
    ['VERCEL', 0.15, 'fedcm'],
    ['NPM', 0.3, 'password'],
    ['DOCKER', 0.3, 'password'],
    ['SNOWFLAKE', 0.2, 'okta'],
  ),
  ...used(
    'Sales',
    ['SALESFORCE', 0.95, 'okta'],
    ['HUBSPOT', 0.4, 'google'],
    ['GONG', 0.45, 'google'],
    ['OUTREACH', 0.35, 'swa'],
    ['ZOOMINFO', 0.4, 'password'],
    ['PIPEDRIVE', 0.1, 'password'],
  ),
  ...used(
    'Marketing',
    ['MAILCHIMP', 0.6, 'password'],
    ['HOOTSUITE', 0.4, 'swa'],
    ['X', 0.55, 'password'],
    ['FACEBOOK', 0.5, 'password'],
    ['SEMRUSH', 0.35, 'password'],
    ['WORDPRESS', 0.3, 'password'],
    ['ZAPIER', 0.35, 'google'],
  ),
  ...used(
    'Finance',
    ['STRIPE', 0.6, 'password'],
    ['QUICKBOOKS', 0.55, 'password'],
    ['XERO', 0.2, 'password'],
    ['EXPENSIFY', 0.7, 'swa'],
    ['BILL', 0.3, 'password'],
  ),
  ...used(
    'People',
    ['WORKDAY', 0.8, 'okta'],
    ['BAMBOOHR', 0.3, 'swa'],
    ['GREENHOUSE', 0.7, 'okta'],
    ['LATTICE', 0.4, 'okta'],
  ),
  ...used(
    'Support',
    ['ZENDESK', 0.95, 'okta'],
    ['INTERCOM', 0.5, 'google'],
    ['STATUSPAGE', 0.3, 'password'],
    ['TEAMVIEWER', 0.35, 'password'],
  ),
]

/** From 0 to 1: how likely somebody of a department uses a product. */
export const likelihood = ({ audience, reach }: UsedProduct, department: Department): number =>
  audience === 'Everyone' || audience === 'GenAI' || audience === department ? reach : reach * 0.05

/** Accounts that a team shares under one password, by department. */
export const sharedByTeam: Readonly<Partial<Record<Department, readonly string[]>>> = {
  Marketing: ['X', 'FACEBOOK', 'CANVA', 'HOOTSUITE'],
  Support: ['TEAMVIEWER', 'STATUSPAGE'],
  Finance: ['STRIPE', 'BILL'],
  Engineering: ['NPM', 'DOCKER'],
}

/** Sites outside any catalog, by their hosts: invented. */
export const otherSites: readonly string[] = [
  'intranet.northgate.example',
  'timesheets.workhours.example',
  'wiki.handbook-host.example',
  'parking-permits.example',
  'canteen-orders.example',
  'portal.freight-portal.example',
  'tax-filing-online.example',
  'supplier-hub.example',
  'event-badges.example',
  'pdf-to-everything.example',
  'quick-file-share.example',
  'survey-box.example',
  'training-campus.example',
  'travel-desk.example',
  'office-plants.example',
  'print-shop-direct.example',
  'legal-templates.example',
  'stock-photos-now.example',
  'conference-tickets.example',
  'my.health-insurance-portal.example',
  'bike-leasing.example',
  'warehouse-view.example',
  'price-monitor.example',
  'free-diagram-tool.example',
]
