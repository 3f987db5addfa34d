import { registrableHost } from '@muster/contract/catalog/catalog'

/**
 * Vendors whose apps share one sign-in, with their registrable domains. A redirect between two of them is the vendor's
 * own sign-in, not one by a third party. Acquired products that kept their own sign-in (GitHub, LinkedIn, Slack) are
 * not listed.
 */
const vendorDomains: Readonly<Record<string, readonly string[]>> = {
  ADOBE: ['adobe.com', 'adobelogin.com', 'behance.net', 'frame.io'],
  AMAZON: ['amazon.com', 'awsapps.com', 'amazonaws.com', 'aws.com', 'signin.aws'],
  APPLE: ['apple.com', 'icloud.com'],
  ATLASSIAN: ['atlassian.com', 'atlassian.net', 'bitbucket.org', 'trello.com', 'statuspage.io', 'loom.com'],
  GOOGLE: ['google.com', 'youtube.com', 'gmail.com', 'appsheet.com', 'kaggle.com', 'looker.com'],
  META: ['facebook.com', 'instagram.com', 'meta.com', 'whatsapp.com', 'workplace.com'],
  MICROSOFT: [
    'azure.com',
    'bing.com',
    'clipchamp.com',
    'cloud.microsoft',
    'dynamics.com',
    'live.com',
    'microsoft.com',
    'microsoft365.com',
    'microsoftonline.com',
    'microsoftonline.us',
    'office.com',
    'office365.com',
    'outlook.com',
    'powerapps.com',
    'powerbi.com',
    'sharepoint.com',
    'skype.com',
    'visualstudio.com',
    'windows.net',
    'yammer.com',
  ],
  SALESFORCE: ['salesforce.com', 'force.com', 'tableau.com', 'mulesoft.com'],
  ZOHO: ['zoho.com', 'zoho.eu', 'zoho.in', 'manageengine.com'],
}

const vendors = new Map(
  Object.entries(vendorDomains).flatMap(([vendor, domains]) =>
    domains.map((domain) => [domain, vendor] as const),
  ),
)

/** Returns the vendor of a host; undefined if no listed vendor owns it. */
export function vendorOf(host: string): string | undefined {
  for (let name = host; ; name = name.slice(name.indexOf('.') + 1)) {
    const vendor = vendors.get(name)
    if (vendor || !name.includes('.')) return vendor
  }
}

/** Returns true if two hosts share a sign-in: they belong to one registrable domain or one vendor. */
export const sharesSignIn = (one: string, other: string): boolean =>
  registrableHost(one) === registrableHost(other) ||
  (vendorOf(one) !== undefined && vendorOf(one) === vendorOf(other))
