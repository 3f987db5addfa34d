import { readFileSync } from 'node:fs'
import { parse } from 'tldts'
import { Compile } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { anyCharacter, fc } from '../../../test/support/fast-check.ts'
import { publicSuffixKind } from '../text/public-suffix.ts'
import { createCatalog, registrableHost } from './catalog.ts'
import { catalogProblems } from './catalog-check.ts'
import { catalogText } from './catalog-text.ts'
import { canonicalHost } from './host-name.ts'
import { identityProviders, type Product } from './product.ts'
import { isConsumerProduct, productCategoryIds } from './product-categories.ts'
import { ProductSchema } from './product-schema.ts'
import { products } from './products.ts'

const catalog = createCatalog(products)

/** Products whose web site is a page within another product of the same company. */
const websiteElsewhere: Readonly<Record<string, string>> = {
  ADOBE_SIGN: 'ADOBE',
  AWS_IAM_IDENTITY_CENTER: 'AWS',
  JIRA: 'ATLASSIAN',
  MARKETO: 'ADOBE',
}

/** Tokens that records hold already: a token never changes. */
const standingTokens = `
  ASANA ATLASSIAN AWS BAMBOOHR BILL CALENDLY CANVA CHATGPT CLAUDE CLOUDFLARE DATADOG DEEPL DOCKER DOCUSIGN DROPBOX
  EXPENSIFY FACEBOOK FIGMA GITHUB GITLAB GONG GOOGLE_CLOUD GOOGLE_WORKSPACE GRAMMARLY GREENHOUSE HOOTSUITE HUBSPOT
  INTERCOM JIRA LATTICE LINEAR LINKEDIN LOOM MAILCHIMP MICROSOFT_365 MIDJOURNEY MIRO NOTION NPM OKTA ONEPASSWORD
  OUTREACH PAGERDUTY PERPLEXITY PIPEDRIVE POSTMAN QUICKBOOKS SALESFORCE SEMRUSH SENTRY SLACK SNOWFLAKE STATUSPAGE
  STRIPE TEAMVIEWER TRELLO VERCEL WORDPRESS WORKDAY X XERO ZAPIER ZENDESK ZOOM ZOOMINFO`
  .trim()
  .split(/\s+/)

const hostsOf = ({ domains, loginHosts, hostPatterns = [] }: Product) => [
  ...domains,
  ...loginHosts,
  ...hostPatterns.map((pattern) => pattern.replace('*.', '')),
]

describe('the products', () => {
  test('are at least 3,500, most of them for work', () => {
    expect(products.length).toBeGreaterThanOrEqual(3500)
    expect(products.filter((product) => !isConsumerProduct(product)).length).toBeGreaterThanOrEqual(3000)
  })

  test('are formatted as by npm run catalog:format', () => {
    const text = readFileSync(new URL('./products.jsonl', import.meta.url), 'utf8')
    expect(text === catalogText(products)).toBe(true)
  })

  test('have a category, and every category has products', () => {
    expect(products.filter(({ categories = [] }) => categories.length === 0)).toEqual([])
    const counts = Map.groupBy(
      products.flatMap(({ categories = [] }) => categories),
      (category) => category,
    )
    expect([...counts.keys()].sort()).toEqual([...productCategoryIds].sort())
  })

  test('match the schema', () => {
    const validator = Compile(ProductSchema)
    expect(products.filter((product) => !validator.Check(product))).toEqual([])
  })

  test('have unique, valid app types, names, domains and login hosts', () => {
    expect(catalogProblems(products)).toEqual([])
  })

  test('use existing public suffixes', () => {
    const hosts = products.flatMap(hostsOf)
    expect(hosts.length).toBeGreaterThan(500)
    expect(hosts.filter((host) => !parse(host).isIcann || parse(host).domain === null)).toEqual([])
  })

  test('claim no shared hosting suffix except for their own tenants', () => {
    const suffixes = products.flatMap(({ domains }) =>
      domains.filter((domain) => publicSuffixKind(domain) !== undefined),
    )
    expect(suffixes.sort()).toEqual(['awsapps.com', 'forgeblocks.com', 'ladesk.com', 'teleport.sh'])
  })

  test('have their website on their own host, with few exceptions', () => {
    const elsewhere = products.flatMap(({ appType, website }) => {
      const owner = catalog.byHost(new URL(website).hostname)?.appType
      return owner === appType ? [] : [[appType, owner]]
    })
    expect(Object.fromEntries(elsewhere)).toEqual(websiteElsewhere)
  })

  test('are found by each of their hosts and subdomains', () => {
    const lost = products.filter(
      ({ appType, domains, loginHosts }) =>
        ![...domains, ...loginHosts, ...domains.map((domain) => `some.tenant.${domain}`)].every(
          (host) => catalog.byHost(host)?.appType === appType,
        ),
    )
    expect(lost).toEqual([])
  })

  test('are sorted by app type and found by it', () => {
    const tokens = products.map(({ appType }) => appType)
    expect(tokens).toEqual([...tokens].sort())
    expect(tokens.filter((token) => catalog.byType(token)?.appType !== token)).toEqual([])
    expect(catalog.all).toEqual(products)
  })

  test('keep the app types of existing records', () => {
    expect(standingTokens.filter((token) => catalog.byType(token) === undefined)).toEqual([])
  })

  test('contain exactly the identity providers', () => {
    const providers = products.flatMap(({ identityProvider }) => identityProvider ?? [])
    expect(providers.sort()).toEqual([...identityProviders].sort())
  })
})

describe('a host belongs to', () => {
  test.each([
    ['github.com', 'GITHUB', 'its domain'],
    ['gist.github.com', 'GITHUB', 'a host below'],
    ['GitHub.COM', 'GITHUB', 'without case'],
    ['github.com.', 'GITHUB', 'with the dot of the root'],
    ['acme.slack.com', 'SLACK', 'of a tenant'],
    ['a.b.c.d.e.slack.com', 'SLACK', 'far below'],
    ['id.atlassian.com', 'ATLASSIAN', 'of sign-in'],
    ['acme.atlassian.net', 'JIRA', 'of a cloud site'],
    ['accounts.google.com', 'GOOGLE_WORKSPACE', 'of one product in a suite'],
    ['console.cloud.google.com', 'GOOGLE_CLOUD', 'of another product in the suite'],
    ['login.microsoftonline.com', 'MICROSOFT_365', 'of sign-in'],
    ['portal.azure.com', 'AZURE', 'a host below'],
    ['dev.azure.com', 'AZURE_DEVOPS', 'by the longer of two names'],
    ['teams.live.com', 'MICROSOFT_TEAMS', 'by the longer of two names'],
    ['eu-west-1.console.aws.amazon.com', 'AWS', 'by the longer of two names'],
    ['www.amazon.com', 'AMAZON', 'by the shorter of two names'],
    ['d-1234567890.awsapps.com', 'AWS_IAM_IDENTITY_CENTER', 'below a private suffix'],
    ['ｇｉｔｈｕｂ.com', 'GITHUB', 'in wide letters, as browsers read them'],
    ['www.amazon.co.jp', 'AMAZON', 'of a country'],
    ['signin.ebay.de', 'EBAY', 'of a country'],
    ['eu.concursolutions.com', 'CONCUR', 'of a region'],
    ['vault.bitwarden.eu', 'BITWARDEN', 'of a region'],
    ['www.hsbc.co.uk', 'HSBC', 'of a country'],
    ['turbotax.intuit.com', 'INTUIT_TURBOTAX', 'by the longer of two names'],
    ['qbo.intuit.com', 'QUICKBOOKS', 'by the shorter of two names'],
    ['carrd.co', 'CARRD', 'above the sites of its customers'],
  ])('%s: %s, %s', (host, appType) => {
    expect(catalog.byHost(host)?.appType).toBe(appType)
  })

  test.each([
    ['github.com.evil.example', 'a name in front of another domain'],
    ['evilgithub.com', 'a name that ends alike'],
    ['github-com.example', 'a name that looks alike'],
    ['github.co', 'another suffix'],
    ['gıthub.com', 'letters that look alike'],
    ['xn--gthub-n4a.com', 'letters that look alike, in punycode'],
    ['ada.github.io', 'a customer of the product'],
    ['ada.carrd.co', 'a customer of the product'],
    ['ada.weebly.com', 'a customer of the product'],
    ['ada.square.site', 'a customer of the product'],
    ['ada.clickfunnels.com', 'a customer of the product'],
    ['www.google.com', 'a suite as a whole'],
    ['learn.microsoft.com', 'a suite as a whole'],
    ['com', 'a public suffix'],
    ['localhost', 'a single label'],
    ['192.0.2.7', 'an address'],
    ['[2001:db8::1]', 'an address'],
    ['', 'nothing'],
    ['.github.com', 'an empty label'],
    ['github..com', 'an empty label'],
    ['github.com/login', 'a URL'],
    ['https://github.com', 'a URL'],
    ['ada@github.com', 'an e-mail address'],
    ['github.com:443', 'a host with a port'],
    ['git\thub.com', 'a blank that parsers drop'],
    ['github%2ecom', 'an encoded dot'],
    ['__proto__', 'a name of JavaScript'],
    [`${'a.'.repeat(500)}github.com`, 'more than a host name can hold'],
  ])('no product: %s, %s', (host) => {
    expect(catalog.byHost(host)).toBeUndefined()
    expect(catalog.providerByHost(host)).toBeUndefined()
  })
})

describe('a consumer product', () => {
  test.each(['NETFLIX', 'STEAM', 'BANK_OF_AMERICA', 'HSBC', 'ZALANDO'])('is %s', (appType) => {
    expect(isConsumerProduct(catalog.byType(appType) ?? {})).toBe(true)
  })

  test.each(['GITHUB', 'LINKEDIN', 'STRIPE', 'OKTA', 'FEDEX'])('is not %s', (appType) => {
    expect(isConsumerProduct(catalog.byType(appType) ?? {})).toBe(false)
  })

  test('needs categories', () => {
    expect(isConsumerProduct({})).toBe(false)
  })
})

test('finds vendors of each category by host', () => {
  const hosts = `
    app.paycor.com secure.benefitfocus.com jobs.jobvite.com login.fieldglass.net app.hackerearth.com
    acumatica.com app.kyriba.com app.procurify.com supplier.coupahost.com app.anrok.com
    app.capsulecrm.com app.mindtickle.com app.qwilr.com app.lusha.com app.xactlycorp.com
    app.activehosted.com analytics.moz.com app.optimove.com my.yext.com app.usercentrics.eu
    acme.ladesk.com acme.niceincontact.com app.churnzero.net app.userpilot.io
    acme.onbmc.com acme.topdesk.net acme.hexnodemdm.com app.auvik.com acme.chronosphere.io
    app.codefresh.io app.configcat.com acme.testrail.io app.mabl.com portal.konghq.com
    acme.securonix.net app.axonius.com acme.hyperproof.app acme.forgeblocks.com app.hoxhunt.com
    acme.alationcloud.com acme.dremio.cloud app.castordoc.com app.deepgram.com console.groq.com
    app.axure.cloud app.dovetailapp.com app.klaxoon.com acme.stashcat.com app.pandadoc.com
    app.spotdraft.com acme.cloudimanage.com app.bizzabo.com app.deskbird.com app.skedda.com
    app.buildertrend.net acme.imedidata.com app.yardione.com app.gomotive.com app.mews.com
    goshippo.com app.shipbob.com app.loopreturns.com eu.civo.com
    acme.metallic.io backup.acronis.cloud acme.celonis.cloud app.pipefy.com acme.myabsorb.com`
    .trim()
    .split(/\s+/)
  expect(hosts.filter((host) => catalog.byHost(host) === undefined)).toEqual([])
})

describe('the sign-in page of', () => {
  test.each([
    ['accounts.google.com', 'GOOGLE_WORKSPACE'],
    ['login.microsoftonline.com', 'MICROSOFT_365'],
    ['device.login.microsoftonline.com', 'MICROSOFT_365'],
    ['acme.okta.com', 'OKTA'],
    ['acme.oktapreview.com', 'OKTA'],
    ['acme.eu.auth0.com', 'AUTH0'],
    ['acme.my.salesforce.com', 'SALESFORCE'],
    ['appleid.apple.com', 'APPLE'],
    ['github.com', 'GITHUB'],
  ])('%s belongs to %s', (host, provider) => {
    expect(catalog.providerByHost(host)).toBe(provider)
  })

  test.each(['mail.google.com', 'gist.github.com', 'docs.gitlab.com', 'zapier.com', 'okta.com.evil.example'])(
    '%s belongs to no provider',
    (host) => {
      expect(catalog.providerByHost(host)).toBeUndefined()
    },
  )
})

const acme: Product = {
  appType: 'ACME',
  friendlyName: 'Acme',
  website: 'https://acme.example',
  description: 'Sells anvils.',
  domains: ['acme.example'],
  loginHosts: ['id.acme.example'],
}
const beta: Product = {
  appType: 'BETA',
  friendlyName: 'Beta',
  website: 'https://beta.example',
  description: 'Tests v2.0 of things.',
  domains: ['beta.example'],
  loginHosts: [],
}

describe('a catalog with added products', () => {
  const intranet: Product = { ...acme, appType: 'INTRANET', domains: ['github.com'], loginHosts: [] }
  const own = createCatalog(products, [acme, intranet, { ...beta, appType: 'ZOOM' }])

  test('finds added and shipped products', () => {
    expect(own.byHost('id.acme.example')).toBe(acme)
    expect(own.byType('ACME')).toBe(acme)
    expect(own.byHost('acme.slack.com')?.appType).toBe('SLACK')
  })

  test('prefers the added product for a shared host or app type', () => {
    expect(own.byHost('gist.github.com')).toBe(intranet)
    expect(own.byType('ZOOM')?.friendlyName).toBe('Beta')
    expect(own.byHost('zoom.us')).toBeUndefined()
    expect(own.all.filter(({ appType }) => appType === 'ZOOM')).toHaveLength(1)
  })

  test('shares the maps of shipped products and lists each app type once, sorted', () => {
    expect(own.all).toHaveLength(products.length + 2)
    const tokens = own.all.map(({ appType }) => appType)
    expect(tokens).toEqual([...new Set(tokens)].sort())
  })

  test('can have a custom provider', () => {
    const provider = {
      ...acme,
      identityProvider: 'ACME',
      brandWords: ['Acme'],
      hostPatterns: ['*.acme.example'],
    }
    expect(catalogProblems([...products, provider])).toEqual([])
    expect(createCatalog([provider]).providerByHost('login.eu.acme.example')).toBe('ACME')
  })
})

describe('problems of a catalog', () => {
  test('are none for a valid one', () => {
    expect(catalogProblems([acme, beta])).toEqual([])
  })

  test('are none for a sign-in above customer sites', () => {
    const host = { ...beta, domains: ['www.sites.example'], loginHosts: ['sites.example'] }
    expect(catalogProblems([acme, host])).toEqual([])
    expect(createCatalog([host]).byHost('sites.example')).toBe(host)
    expect(createCatalog([host]).byHost('ada.sites.example')).toBeUndefined()
  })

  test.each<[wrong: Partial<Product>, problem: string]>([
    [{ appType: 'Beta' }, 'Beta: the token must be UPPER_SNAKE'],
    [{ appType: '2BETA' }, '2BETA: the token must be UPPER_SNAKE'],
    [{ website: 'http://beta.example' }, 'BETA: the website must be an https URL, not http://beta.example'],
    [{ website: 'beta.example' }, 'BETA: the website must be an https URL, not beta.example'],
    ...['tests things.', 'Tests things', 'Tests. And more.', `Tests ${'x'.repeat(200)}.`].map(
      (description): [Partial<Product>, string] => [
        { description },
        'BETA: the description must be one sentence of at most 200 characters, with its full stop',
      ],
    ),
    [{ domains: [] }, 'BETA: it must have a domain'],
    [
      { domains: ['beta.example', 'x.beta.example'] },
      'BETA: the domain x.beta.example is below another of its domains: leave it out',
    ],
    ...['Beta.example', 'beta.example.', 'beta', 'co.uk', '192.0.2.7', 'bücher.example', 'a b.example'].map(
      (host): [Partial<Product>, string] => [
        { domains: [host] },
        `BETA: ${host} must be a host name in lower case, under a registrable domain`,
      ],
    ),
    [
      { loginHosts: ['login.gamma.example'] },
      'BETA: login.gamma.example must be in its domains, and in no deeper one of another product',
    ],
    [
      { domains: ['www.sites.example'], loginHosts: ['other.example'] },
      'BETA: other.example must be in its domains, and in no deeper one of another product',
    ],
    [{ brandWords: ['Beta'] }, 'BETA: brand words and host patterns are for identity providers'],
    [
      { identityProvider: 'ACME', brandWords: ['Beta'], loginHosts: ['beta.example'] },
      'BETA: the identity provider must be its own token, not ACME',
    ],
    [
      { identityProvider: 'BETA', loginHosts: ['beta.example'] },
      'BETA: an identity provider must have brand words',
    ],
    [
      { identityProvider: 'BETA', brandWords: ['Beta'] },
      'BETA: an identity provider must have a host where one signs in',
    ],
    [
      { identityProvider: 'BETA', brandWords: ['Beta'], hostPatterns: ['beta.example'] },
      'BETA: the pattern beta.example must begin with *.',
    ],
    [{ friendlyName: 'ACME' }, 'BETA: the name acme is there already, of ACME'],
  ])('%j: %s', (wrong, problem) => {
    expect(catalogProblems([acme, { ...beta, ...wrong }])).toEqual([problem])
  })

  test('include a duplicate app type, domain or login host', () => {
    expect(catalogProblems([acme, { ...beta, appType: 'ACME' }])).toContain(
      'ACME: the token ACME is there already, of ACME',
    )
    expect(catalogProblems([acme, { ...beta, domains: acme.domains }])).toContain(
      'BETA: the domain acme.example is there already, of ACME',
    )
    expect(catalogProblems([acme, { ...beta, loginHosts: acme.loginHosts }])).toContain(
      'BETA: the login host id.acme.example is there already, of ACME',
    )
  })
})

test('the canonical form of any host is stable', () => {
  const part = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.domain(),
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom('.', '。', ':', '['),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const found = canonicalHost(parts.join(''))
      expect(found === undefined ? undefined : canonicalHost(found)).toBe(found)
      expect(found ?? 'x').toMatch(/^[a-z0-9._:[\]-]{1,253}$/)
    }),
  )
})

describe('an app outside the catalog is identified by', () => {
  test.each([
    ['www.example.com', 'example.com'],
    ['a.b.example.co.uk', 'example.co.uk'],
    ['Shop.Example.ORG.', 'example.org'],
    ['ada.github.io', 'ada.github.io'],
    ['blog.ada.github.io', 'ada.github.io'],
    ['github.io', 'github.io'],
    ['co.uk', 'co.uk'],
    ['www.bücher.example', 'xn--bcher-kva.example'],
    ['www.xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['my_app.example.com', 'example.com'],
    ['crm.corp.internal', 'corp.internal'],
    ['intranet', 'intranet'],
    ['3com', '3com'],
    ['localhost', 'localhost'],
    ['192.0.2.7', '192.0.2.7'],
    ['0x7f.1', '127.0.0.1'],
    ['[2001:DB8::1]', '[2001:db8::1]'],
    ['2001:db8:0:0::1', '[2001:db8::1]'],
  ])('%s: %s', (host, domain) => {
    expect(registrableHost(host)).toBe(domain)
  })

  test.each([
    '',
    '.',
    'a..example',
    'example.com/x',
    'ada@example.com',
    'example.com:8443',
    '[::1]:443',
    '999.1.1.1',
    'a b.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(200)}example`,
    `${'a.'.repeat(123)}example`.padEnd(254, 'x'),
    '[::1',
  ])('nothing where there is no host: %j', (host) => {
    expect(registrableHost(host)).toBeUndefined()
  })
})
