import { products } from '@muster/contract/catalog/products'
import { expect, test } from 'vitest'
import { imitatedProvider } from './cloned-page.ts'
import type { PageFeatures } from './page-features.ts'

const own = {
  appType: 'ACME_SIGN_IN',
  friendlyName: 'Acme Sign-in',
  website: '',
  description: '',
  domains: ['sso.acme.example'],
  loginHosts: ['sso.acme.example'],
  identityProvider: 'ACME_SIGN_IN',
  brandWords: ['Acme'],
}
const providers = [...products.filter(({ identityProvider }) => identityProvider !== undefined), own]
const clone = 'portal.copper.example'
const page = (features: Partial<PageFeatures>, formHost = clone): PageFeatures => ({
  title: '',
  headings: [],
  text: '',
  fieldNames: [],
  pictureHosts: [],
  scriptHosts: [],
  linkHosts: [],
  formHosts: [formHost],
  pictureWords: [],
  marks: [],
  ...features,
})
const imitated = (features: Partial<PageFeatures>, host = clone) => {
  const found = imitatedProvider(page(features, host), host, providers)
  return found && [found.product.appType, ...found.evidence]
}

test.each<[string, Partial<PageFeatures>, string[]]>([
  [
    'Microsoft, with its own pictures',
    { title: 'Sign in to your account', headings: ['Sign in'], fieldNames: ['loginfmt', 'i0116'] },
    ['MICROSOFT_365', 'TITLE', 'FIELDS'],
  ],
  [
    'Google, with its own pictures',
    { title: 'Sign in - Google Accounts', fieldNames: ['identifierId', 'Passwd'] },
    ['GOOGLE_WORKSPACE', 'TITLE', 'FIELDS'],
  ],
  [
    'Okta',
    {
      title: 'Okta - Sign In',
      pictureWords: ['Okta logo'],
      fieldNames: ['identifier', 'credentials.passcode'],
    },
    ['OKTA', 'TITLE', 'HEADING_OR_PICTURE'],
  ],
  [
    "the organization's own provider",
    { title: 'Sign in to Acme', headings: ['ACME'], fieldNames: ['username', 'password'] },
    ['ACME_SIGN_IN', 'TITLE', 'HEADING_OR_PICTURE'],
  ],
  [
    "the organization's own provider, with its pictures",
    { title: 'Acme - Sign in', pictureHosts: ['sso.acme.example'] },
    ['ACME_SIGN_IN', 'TITLE', 'PICTURES'],
  ],
  [
    'GitLab, saved from another page',
    { title: 'Sign in · GitLab', headings: ['GitLab'], marks: ['COPIED_BY_TOOL'] },
    ['GITLAB', 'TITLE', 'HEADING_OR_PICTURE', 'SAVED_COPY'],
  ],
  [
    'Salesforce, with a form that submits to a collecting script',
    { title: 'Login | Salesforce', pictureWords: ['Salesforce'], marks: ['POSTED_TO_SCRIPT'] },
    ['SALESFORCE', 'TITLE', 'HEADING_OR_PICTURE', 'SENT_ELSEWHERE'],
  ],
])('a copy of the sign-in page of %s that submits to itself is a clone', (_, features, expected) => {
  expect(imitated(features)).toEqual(expected)
})

test.each([
  ['www.okta-login.example', true],
  ['secure-0kta.example', true],
  ['login-m1crosoft.example', true],
  ['micros0ft-support.example', true],
  ['okta.copper.example', false],
  ['copper.example', false],
  ['applefarm.example', false],
  ['pineapple.example', false],
])('a lookalike host name is evidence: %s', (host, isEvidence) => {
  const title = { title: 'Okta', headings: ['Microsoft'], pictureWords: ['Okta', 'Apple'] }
  const found = providers.map(
    (provider) => imitatedProvider(page(title, host), host, [provider])?.evidence ?? [],
  )
  expect(found.flat().includes('HOST_NAME')).toBe(isEvidence)
})

test('all hosts of the organization and of the vendor may show its name', () => {
  const features = { title: 'Acme - Sign in', headings: ['Acme'] }
  expect(imitated(features, 'intranet.acme.example')).toBeUndefined()
  const microsoft = { title: 'Microsoft', headings: ['Microsoft'] }
  expect(imitated(microsoft, 'login.live.com')).toBeUndefined()
})

const offers = ['Sign in with Google', 'Continue with Microsoft', 'Log in with Okta', 'Sign in with Acme SSO']
const brands = new Set(providers.flatMap(({ brandWords = [] }) => brandWords))
const likeCatalog = products
  .filter(({ identityProvider, friendlyName }) => identityProvider === undefined && !brands.has(friendlyName))
  .filter((_, index) => index % 10 === 0)
  .flatMap(({ friendlyName }) => [
    { title: `Log in | ${friendlyName}`, headings: ['Log in'], pictureWords: [`${friendlyName} logo`] },
    {
      title: friendlyName,
      headings: [`Sign in to ${friendlyName}`, ...offers],
      pictureWords: ['google.svg', 'Microsoft'],
    },
    {
      title: 'Sign in',
      headings: ['Welcome back', ...offers],
      pictureWords: ['Okta', 'GitHub', friendlyName],
    },
    {
      title: `${friendlyName} – Login`,
      headings: ['Login'],
      text: offers.join(' ').toLowerCase(),
      fieldNames: ['email', 'password'],
    },
  ])

test('no catalog app that offers provider sign-ins is a clone', () => {
  const pictureHosts = [
    'fonts.gstatic.com',
    'accounts.google.com',
    'aadcdn.msauth.net',
    'ok12static.oktacdn.com',
  ]
  const flagged = likeCatalog.filter((features) => imitated({ ...features, pictureHosts }))
  expect(likeCatalog.length).toBeGreaterThan(400)
  expect(flagged.map(({ title, headings }) => [title, ...headings])).toEqual([])
})

test.each<[string, Partial<PageFeatures>]>([
  [
    'a self-hosted GitLab',
    { title: 'Sign in · GitLab', headings: ['GitLab'], fieldNames: ['user[login]', 'user[password]'] },
  ],
  ['a self-hosted Jira', { title: 'Log in - Jira', headings: ['Jira'], pictureWords: ['Jira'] }],
  ['a customer page of Salesforce', { title: 'Login | Salesforce', pictureWords: ['Salesforce'] }],
  [
    'a custom domain at Okta',
    {
      title: 'Copper - Sign In',
      fieldNames: ['identifier', 'credentials.passcode'],
      pictureHosts: ['ok1static.oktacdn.com'],
    },
  ],
  [
    'a form with a field of the same name',
    { title: 'Copper', fieldNames: ['identifierId'], formHosts: ['sso.copper.example'] },
  ],
  [
    'a page that mentions the provider',
    { title: 'Copper', headings: ['Sign in'], text: 'sign in with your microsoft account' },
  ],
])('%s is no clone', (_, features) => {
  expect(imitated(features)).toBeUndefined()
})
